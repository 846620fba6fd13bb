// Tiny language models of tests/data/language: what they keep from step to step, and that they compute what
// onnxruntime does, whose numbers the files .logits are.
#include <cmath>
#include <cstring>

#include "npy.hpp"
#include "program.hpp"

namespace mo::test {
namespace {

constexpr size_t steps = 16, vocabulary = 32, layers = 2;
const std::string folder_of_models = MO_SOURCE_DIR "/tests/data/language/";

std::vector<float> floats(const std::string& bytes, size_t from = 0) {
  std::vector<float> out((bytes.size() - from) / sizeof(float));
  std::memcpy(out.data(), bytes.data() + from, out.size() * sizeof(float));
  return out;
}

// As in tests/data/language/decode.mjs.
std::vector<int64_t> tokens(size_t step) {
  if (step == 0) return {3, 14, 15, 9};
  return {static_cast<int64_t>((step * 7 + 5) % vocabulary)};
}

std::string row_of(size_t length) { return "1, " + std::to_string(length); }

class Language : public testing::TestWithParam<std::string> {
 protected:
  std::string source() const { return folder_of_models + GetParam() + ".onnx"; }
  std::string converted(const Folder& folder, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"--input_model", source(), "-o", folder / "ir", "--silent"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome o = run(words);
    EXPECT_EQ(o.code, 0) << o.err;
    return folder / ("ir/" + GetParam() + ".xml");
  }

  // The lines of --cases, one per step.
  std::string cases(const Folder& folder, const std::string& model) const {
    std::string lines;
    size_t past = 0;
    write_text(folder / "beam.npy", npy<int32_t>("<i4", "1,", {0}));
    for (size_t step = 0; step < steps; ++step) {
      const auto ids = tokens(step);
      std::vector<int64_t> places(ids.size());
      for (size_t i = 0; i < places.size(); ++i) places[i] = static_cast<int64_t>(past + i);
      past += ids.size();
      const std::string own = folder / std::to_string(step);
      write_text(own + "ids.npy", npy<int64_t>("<i8", row_of(ids.size()), ids));
      write_text(own + "places.npy", npy<int64_t>("<i8", row_of(ids.size()), places));
      write_text(own + "mask.npy", npy<int64_t>("<i8", row_of(past), std::vector<int64_t>(past, 1)));
      lines += R"({"model": ")" + model + R"(", "output_dir": ")" + own + R"(", "inputs": {"input_ids": ")" +
               own + R"(ids.npy", "attention_mask": ")" + own + R"(mask.npy", "beam_idx": ")" +
               (folder / "beam.npy") + R"(", "position_ids": ")" + own + "places.npy\"}}\n";
    }
    return lines;
  }
};

size_t count(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST_P(Language, KeepsItsCache) {
  const Folder folder;
  const std::string ir = read_text(converted(folder));
  EXPECT_EQ(count(ir, "type=\"ReadValue\""), 2 * layers);
  EXPECT_EQ(count(ir, "type=\"Assign\""), 2 * layers);
  EXPECT_EQ(count(ir, "type=\"Result\""), 1U);
  EXPECT_EQ(count(ir, "type=\"Parameter\""), 4U);
  EXPECT_NE(ir.find("variable_id=\"past_key_values.1.valuepresent.1.value\""), std::string::npos);
  EXPECT_NE(ir.find("name=\"beam_idx\""), std::string::npos);
}

TEST_P(Language, IsTheSameBytesWhenItsIrIsConverted) {
  const Folder folder;
  const std::string ir = converted(folder);
  const Outcome o = run({"--input_model", ir, "-o", folder / "again", "--silent"});
  ASSERT_EQ(o.code, 0) << o.err;
  for (const char* end : {".xml", ".bin"})
    EXPECT_EQ(read_text(folder / ("ir/" + GetParam() + end)),
              read_text(folder / ("again/" + GetParam() + end)));
}

TEST_P(Language, StaysAsItIsWhenAsked) {
  const Folder folder;
  const std::string ir = read_text(converted(folder, {"--disable_stateful"}));
  EXPECT_EQ(count(ir, "type=\"ReadValue\""), 0U);
  EXPECT_EQ(count(ir, "type=\"Result\""), 1 + 2 * layers);
}

TEST_P(Language, SixteenStepsAreThoseWithoutState) {
  const Outcome o = run({"verify", source()});
  EXPECT_EQ(o.code, 0) << o.err << o.out;
  EXPECT_NE(o.out.find("16 steps"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("input 'attention_mask': i64 [1,4], full of ones\n"), std::string::npos) << o.out;
  EXPECT_EQ(count(o.out, " equal"), 1 + 2 * layers) << o.out;
}

TEST_P(Language, SixteenStepsAreThoseOfOnnxruntime) {
  const Folder folder;
  const std::string ir = converted(folder);
  write_text(folder / "cases", cases(folder, ir));
  const Outcome o = run({"run", "--cases", folder / "cases"});
  ASSERT_EQ(o.code, 0) << o.err << o.out;
  const auto expected = floats(read_text(folder_of_models + GetParam() + ".logits"));
  ASSERT_EQ(expected.size(), steps * vocabulary);
  for (size_t step = 0; step < steps; ++step) {
    const std::string bytes = read_text(folder / (std::to_string(step) + "/logits.npy"));
    const auto all = floats(bytes, bytes.find('\n') + 1);
    ASSERT_EQ(all.size(), tokens(step).size() * vocabulary) << "step " << step;
    for (size_t i = 0; i < vocabulary; ++i)
      EXPECT_NEAR(all[all.size() - vocabulary + i], expected[step * vocabulary + i], 2e-4)
          << "step " << step << ", logit " << i;
  }
}

std::string name_of_model(const testing::TestParamInfo<std::string>& model) { return model.param; }

INSTANTIATE_TEST_SUITE_P(Models, Language,
                         testing::Values("llama_exported", "phi_exported", "qwen_exported", "gemma_exported",
                                         "gpt_oss_exported", "llama_built", "phi_built", "gpt_oss_built"),
                         name_of_model);

// Lengths are counted in the mask: nothing is moved, and attention is what runtimes know.
TEST(BuiltDecoders, HaveTheFormOfExportedOnes) {
  for (const std::string name : {"llama_built", "phi_built", "gpt_oss_built"}) {
    const Folder folder;
    ASSERT_EQ(run({"--input_model", folder_of_models + name + ".onnx", "-o", folder / "ir", "--silent"}).code,
              0);
    const std::string ir = read_text(folder / ("ir/" + name + ".xml"));
    EXPECT_EQ(count(ir, "type=\"ScaledDotProductAttention\""), layers) << name;
    EXPECT_NE(ir.find("name=\"position_ids\""), std::string::npos) << name;
    EXPECT_EQ(ir.find("batch_dims=\"1\""), std::string::npos) << name;
    // Of two layers the first sees three keys only.
    EXPECT_EQ(count(ir, "type=\"BitwiseAnd\""), name == "llama_built" ? 0U : 4U) << name;
    const Outcome o = run({"--input_model", folder_of_models + name + ".onnx", "-o", folder / "apart",
                           "--silent", "--disable_stateful"});
    ASSERT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(read_text(folder / ("apart/" + name + ".xml")).find("name=\"position_ids\""),
              std::string::npos);
  }
}

class PipelineFolder : public testing::Test {
 protected:
  PipelineFolder() {
    fs::create_directories(folder_ / "source");
    fs::copy_file(folder_of_models + "llama_built.onnx", folder_ / "source/model.onnx");
  }
  Outcome convert(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"--input_model", folder_ / "source", "--genai_folder", "-o",
                                   folder_ / "out"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  const Folder folder_;
};

TEST_F(PipelineFolder, OfHuggingFaceHasItsFiles) {
  write_text(folder_ / "source/config.json", R"({"model_type": "llama", "eos_token_id": 3})");
  write_text(folder_ / "source/tokenizer.json", "{}");
  const Outcome o = convert();
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.err.find("the tokenizer is not converted: --genai_python"), std::string::npos) << o.err;
  EXPECT_NE(read_text(folder_ / "out/openvino_model.xml").find("name=\"beam_idx\""), std::string::npos);
  EXPECT_TRUE(fs::exists(folder_ / "out/openvino_model.bin"));
  EXPECT_EQ(read_text(folder_ / "out/config.json"), R"({"model_type": "llama", "eos_token_id": 3})");
  EXPECT_EQ(read_text(folder_ / "out/tokenizer.json"), "{}");
  EXPECT_EQ(read_text(folder_ / "out/generation_config.json"), "{\n  \"eos_token_id\": 3\n}\n");
}

TEST_F(PipelineFolder, OfOnnxruntimeGenaiGetsConfigurations) {
  write_text(folder_ / "source/genai_config.json",
             R"({"model": {"type": "gptoss", "vocab_size": 32, "eos_token_id": [1, 2], "context_length": 64,
                           "decoder": {"filename": "model.onnx", "head_size": 16, "num_key_value_heads": 2}},
                 "search": {"do_sample": true, "temperature": 0.5, "top_k": 4}})");
  const Outcome o = convert();
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.err.find("no file of a tokenizer lies in"), std::string::npos) << o.err;
  EXPECT_EQ(read_text(folder_ / "out/config.json"),
            "{\n  \"model_type\": \"gpt_oss\",\n  \"vocab_size\": 32,\n  \"max_position_embeddings\": 64,\n"
            "  \"eos_token_id\": [1, 2],\n  \"num_key_value_heads\": 2,\n  \"head_dim\": 16\n}\n");
  EXPECT_EQ(
      read_text(folder_ / "out/generation_config.json"),
      "{\n  \"eos_token_id\": [1, 2],\n  \"do_sample\": true,\n  \"temperature\": 0.5,\n  \"top_k\": 4\n}\n");
}

TEST_F(PipelineFolder, SaysWhatIsMissing) {
  write_text(folder_ / "source/config.json", "{}");
  write_text(folder_ / "source/tokenizer.json", "{}");
  const Outcome named = convert({"-n", "mine"});
  EXPECT_EQ(named.code, 2);
  EXPECT_NE(named.err.find("--genai_folder: pipelines look for 'openvino_model.xml'"), std::string::npos)
      << named.err;
  const Outcome file =
      run({"--input_model", folder_ / "source", "--genai_folder", "-o", folder_ / "net.xml"});
  EXPECT_EQ(file.code, 2);
  EXPECT_NE(file.err.find("--output_dir names a folder"), std::string::npos) << file.err;
  const Outcome nowhere = run({"--input_model", folder_ / "source", "--genai_folder"});
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_NE(nowhere.err.find("--output_dir says where"), std::string::npos) << nowhere.err;
  const Outcome alone =
      run({"--input_model", folder_of_models + "llama_built.onnx", "--genai_folder", "-o", folder_ / "out"});
  EXPECT_EQ(alone.code, 2);
  EXPECT_NE(alone.err.find("neither 'config.json' nor 'genai_config.json' lies beside"), std::string::npos)
      << alone.err;
  const Outcome no_python = convert({"--genai_python", folder_ / "nothing"});
  EXPECT_EQ(no_python.code, 2);
  EXPECT_NE(no_python.err.find("cannot be run"), std::string::npos) << no_python.err;
  write_text(folder_ / "python", "#!/bin/sh\necho 'no tokenizers here'\nexit 1\n");
  fs::permissions(folder_ / "python", fs::perms::owner_all);
  const Outcome fails = convert({"--genai_python", folder_ / "python"});
  EXPECT_EQ(fails.code, 2);
  EXPECT_NE(fails.err.find("made no tokenizer"), std::string::npos) << fails.err;
  EXPECT_NE(fails.err.find("no tokenizers here"), std::string::npos) << fails.err;
}

// What a Python without OpenVINO, and a runtime that refuses, fails or dies, comes to; numbers of a real one are
// tested in tests/python.
TEST(Verify, RuntimesThatDoNotWork) {
  const Folder folder;
  struct Row {
    std::string says;
    int code;
    std::vector<std::string> parts;
  };
  const Row rows[] = {
      {"echo 'none ModuleNotFoundError: it is not there' >&3",
       2,
       {"MO0104", "has no OpenVINO", "it is not there", "pip install"}},
      {"echo 'refused 9.9 such a model' >&3",
       1,
       {"MO0511", "OpenVINO 9.9 does not take the model", "such a model"}},
      {"echo 'I fall' >&2; exit 3", 1, {"MO0511", "ended without an answer", "I fall"}},
      {"echo 'ready 9.9' >&3; read line <&3; echo 'failed no room' >&3",
       1,
       {"MO0511", "OpenVINO 9.9 does not compute", "no room"}},
  };
  for (const Row& row : rows) {
    write_text(folder / "python", "#!/bin/sh\n" + row.says + "\n");
    fs::permissions(folder / "python", fs::perms::owner_all);
    const Outcome o =
        run({"verify", MO_SOURCE_DIR "/tests/data/small_cnn.onnx", "--runtime", folder / "python"});
    EXPECT_EQ(o.code, row.code) << o.err;
    for (const std::string& part : row.parts)
      EXPECT_NE(o.err.find(part), std::string::npos) << part << "\n" << o.err;
  }
  const Outcome o =
      run({"verify", MO_SOURCE_DIR "/tests/data/small_cnn.onnx", "--runtime", folder / "nothing"});
  EXPECT_EQ(o.code, 2);
  EXPECT_NE(o.err.find("cannot be run"), std::string::npos) << o.err;
}

// What --state names is no cache of a decoder: no rows are chosen.
TEST(State, IsWhatTheOptionNames) {
  const Folder folder;
  const std::string model = folder_of_models + "llama_exported.onnx";
  struct Row {
    std::vector<std::string> words;
    std::vector<std::string> parts;
  };
  const Row wrong[] = {
      {{"--state", "input_ids"}, {"--state: ", "'input_ids' has no ':'"}},
      {{"--state", "input_ids:nothing"},
       {"--state: ", "is not an input and an output of the model", "'logits'"}},
      {{"--state", "input_ids:logits"}, {"--state: ", "i64", "f32", "a state keeps its type"}},
      {{"--state", "past_key_values.0.key:present.0.key,past_key_values.0.key:present.1.key"},
       {"--state: ", "'past_key_values.0.key' is named twice"}},
      {{"--stateful", "--disable_stateful"}, {"--disable_stateful: ", "--stateful"}},
      {{"--disable_stateful", "--state", "past_key_values.0.key:present.0.key"}, {"--state"}},
  };
  for (const Row& r : wrong) {
    std::vector<std::string> words{"--input_model", model, "-o", folder / "wrong"};
    words.insert(words.end(), r.words.begin(), r.words.end());
    const Outcome o = run(words);
    EXPECT_NE(o.code, 0) << r.words.front();
    for (const std::string& part : r.parts)
      EXPECT_NE(o.err.find(part), std::string::npos) << part << "\n" << o.err;
  }
  const Outcome none =
      run({"--input_model", MO_SOURCE_DIR "/tests/data/small_cnn.onnx", "-o", folder / "none", "--stateful"});
  EXPECT_NE(none.code, 0);
  EXPECT_NE(none.err.find("no inputs and outputs are named as a cache is"), std::string::npos) << none.err;
}

// A file of NumPy at a time: the second run begins with what the first one left, the third anew.
TEST(State, LastsFromCaseToCase) {
  const Folder folder;
  ASSERT_EQ(
      run({"--input_model", folder_of_models + "llama_exported.onnx", "-o", folder / "ir", "--silent"}).code,
      0);
  const auto file = [&](const std::string& name, const std::vector<int64_t>& values) {
    write_text(folder / name, npy<int64_t>("<i8", row_of(values.size()), values));
    return folder / name;
  };
  write_text(folder / "beam.npy", npy<int32_t>("<i4", "1,", {0}));
  const std::string ids[] = {file("seven.npy", {7}), file("nine.npy", {9})},
                    places[] = {file("first.npy", {0}), file("second.npy", {1})},
                    masks[] = {file("one.npy", {1}), file("two.npy", {1, 1})};
  const auto line = [&](const std::string& out, size_t token, size_t mask, const std::string& more) {
    return R"({"model": ")" + (folder / "ir/llama_exported.xml") + R"(", "output_dir": ")" + (folder / out) +
           R"(", "inputs": {"input_ids": ")" + ids[token] + R"(", "position_ids": ")" + places[token] +
           R"(", "beam_idx": ")" + (folder / "beam.npy") + R"(", "attention_mask": ")" + masks[mask] + "\"}" +
           more + "}\n";
  };
  const std::string reset = R"(, "reset": true)";
  write_text(folder / "cases",
             line("a", 0, 0, "") + line("b", 1, 1, "") + line("c", 1, 0, reset) + line("d", 0, 0, reset));
  const Outcome o = run({"run", "--cases", folder / "cases"});
  ASSERT_EQ(o.code, 0) << o.out << o.err;
  EXPECT_NE(read_text(folder / "b/logits.npy"), read_text(folder / "c/logits.npy"));
  EXPECT_EQ(read_text(folder / "a/logits.npy"), read_text(folder / "d/logits.npy"));
  write_text(folder / "wrong", line("a", 0, 0, "") + line("b", 0, 0, R"(, "reset": 1)"));
  const Outcome wrong = run({"run", "--cases", folder / "wrong"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("'reset' that is neither true nor false"), std::string::npos) << wrong.err;
}

}  // namespace
}  // namespace mo::test
