// Folders of onnxruntime-genai: the decoder's file, its cache and what it leaves open.
#include <sys/stat.h>

#include "onnx_fixture.hpp"

namespace mo::test {
namespace {

using testing::HasSubstr;

class GenaiFolder : public Onnx {
 protected:
  // A cache that no name tells: keys_0 becomes new_keys_0.
  void write_decoder(const std::string& name) {
    ModelBuilder m(17);
    m.input("ids", OnnxType::int64, {"batch", "length"});
    m.input("fresh", OnnxType::float32, {"batch", "heads", "length", "size"});
    for (const std::string what : {"keys", "values"}) {
      m.input(what + "_0", OnnxType::float32, {"batch", "heads", "past", "size"});
      m.node({.type = "Concat",
              .inputs = {what + "_0", "fresh"},
              .outputs = {"new_" + what + "_0"},
              .attributes = {{"axis", 2}},
              .name = "join_" + what});
      m.output("new_" + what + "_0");
    }
    m.output(m.op("Cast", {"ids"}, {{"to", 1}}));
    m.write(folder_ / name);
  }
  void write_config(const std::string& decoder, const std::string& more = "") {
    folder_.write("genai_config.json",
                  R"({"model": {"type": "llama", "decoder": {)" + decoder + "}" + more + "}}");
  }
  static std::string sizes() {
    return R"("filename": "decoder.onnx", "num_hidden_layers": 1, "num_key_value_heads": 2, "head_size": 4, )"
           R"("inputs": {"past_key_names": "keys_%d", "past_value_names": "values_%d"}, )"
           R"("outputs": {"present_key_names": "new_keys_%d", "present_value_names": "new_values_%d"})";
  }
};

TEST_F(GenaiFolder, NamesModelAndCache) {
  write_decoder("decoder.onnx");
  write_config(sizes(), R"(, "embedding": {"filename": "embedding.onnx"})");
  const core::GraphPtr g = prepare(folder_ / "");
  EXPECT_THAT(log_, HasSubstr("'embedding.onnx'"));
#ifdef MO_HAVE_PLUGIN_builtin_passes
  ASSERT_EQ(count(*g, "ReadValue"), 2U) << app::to_text(*g);
  const core::NodeId read = node(*g, "keys_0");
  EXPECT_EQ(g->op(read), "ReadValue");
  EXPECT_EQ(attribute<std::string>(*g, read, "variable_id"), "keys_0new_keys_0");
  EXPECT_EQ(g->out({read, 0}).tensor.shape, (Shape{any_dim, 2, any_dim, 4}));
#endif
}

TEST_F(GenaiFolder, IsRefusedForWhatIsWrong) {
  write_decoder("decoder.onnx");
  const auto refusal = [&](const std::string& decoder) {
    write_config(decoder);
    return failure_of(folder_ / "", core::Stage::load);
  };
  EXPECT_THAT(refusal(R"("head_size": 4)"), HasSubstr("\"filename\" of the decoder is missing"));
  EXPECT_THAT(refusal(R"("filename": "../decoder.onnx")"), HasSubstr("has to lie inside the folder"));
  EXPECT_THAT(refusal(R"("filename": "other.onnx")"), HasSubstr("other.onnx"));
  EXPECT_THAT(refusal(R"("pipeline": [], "filename": "decoder.onnx")"),
              HasSubstr("a pipeline of several files"));
  std::string wrong = sizes();
  wrong.replace(wrong.find("keys_%d"), 7, "keys");
  EXPECT_THAT(refusal(wrong), HasSubstr("'keys' has no %d"));
  wrong = sizes();
  wrong.replace(wrong.find("\"num_hidden_layers\": 1"), 22, "\"num_hidden_layers\": 2");
  EXPECT_THAT(refusal(wrong), HasSubstr("says that 'keys_1' is an input of the decoder"));
  EXPECT_THAT(refusal(R"("filename": 3)"),
              HasSubstr("genai_config.json: 'filename' is an integer, expected"));
  wrong = sizes();
  wrong.replace(wrong.find("\"num_hidden_layers\": 1"), 22, "\"num_hidden_layers\": []");
  EXPECT_THAT(refusal(wrong),
              HasSubstr("genai_config.json: 'num_hidden_layers' is a list, expected an integer"));
  folder_.write("genai_config.json", "{\"model\": [");
  EXPECT_THAT(failure_of(folder_ / "", core::Stage::load),
              HasSubstr("genai_config.json: expected a value at character 12"));
}

TEST_F(GenaiFolder, HasItsFilesInside) {
  namespace fs = std::filesystem;
  const TemporaryFolder outside;
  for (const std::string name : {"genai_config.json", "decoder.onnx"}) {
    write_decoder("decoder.onnx");
    write_config(sizes());
    const fs::path file = folder_ / name, elsewhere = outside / name;
    const auto failure = [&] { return failure_of(folder_ / "", core::Stage::load); };
    EXPECT_EQ(failure(), "");
    fs::rename(file, elsewhere);
    fs::create_symlink(elsewhere, file);
    EXPECT_THAT(failure(), HasSubstr(text("'", name, "' is refused: a link leads out of the folder")));
    fs::remove(file);
    ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
    EXPECT_THAT(failure(), HasSubstr(name));
    fs::remove(file);
    fs::create_directory(file);
    EXPECT_THAT(failure(), HasSubstr(name));
    fs::remove(file);
  }
}

TEST_F(GenaiFolder, IsNotNeededForACacheThatIsAskedFor) {
  write_decoder("decoder.onnx");
  options_.emplace("stateful", true);
  const core::GraphPtr g = prepare(folder_ / "decoder.onnx");
#ifdef MO_HAVE_PLUGIN_builtin_passes
  EXPECT_EQ(count(*g, "ReadValue"), 2U) << app::to_text(*g);
  EXPECT_EQ(count(*g, "Assign"), 2U);
#endif
}

}  // namespace
}  // namespace mo::test
