// What scripts of the Model Optimizer pass: options that work as before, those that change nothing, those
// that are refused.
#include "program.hpp"

namespace mo::test {
namespace {

TEST(OldOptions, ThoseWithoutEffectAreAcceptedAndSaySo) {
  const Folder folder;
  write_text(folder / "a.toy", small_model);
  struct Row {
    std::vector<std::string> words;
    const char* warning;
  };
  const Row rows[] = {
      {{"--disable_resnet_optimization"},
       "--disable_resnet_optimization has no effect: strides stay where the model has them"},
      {{"--move_to_preprocess"},
       "--move_to_preprocess has no effect: mean values become operations of the model"},
      {{"--keep_shape_ops"},
       "--keep_shape_ops has no effect: operations on shapes are kept; --static_shape folds them"},
      {{"--generate_deprecated_IR_V7"},
       "--generate_deprecated_IR_V7 has no effect: --ir_version says which version is written"},
      {{"--legacy_ir_generation"},
       "--legacy_ir_generation has no effect: there is only one way to write the IR"},
  };
  ASSERT_EQ(convert(folder / "a.toy", {"-o", folder / "plain"}).code, 0);
  for (const Row& r : rows) {
    auto words = r.words;
    words.insert(words.end(), {"-o", folder / "out"});
    const Outcome o = convert(folder / "a.toy", words);
    EXPECT_EQ(o.code, 0) << r.words[0];
    EXPECT_EQ(o.err, std::string("warning: ") + r.warning + "\n");
    for (const char* file : {"/a.xml", "/a.bin"})
      EXPECT_EQ(read_text(folder / "out" + file), read_text(folder / "plain" + file)) << r.words[0];
    words.emplace_back("--silent");
    EXPECT_EQ(convert(folder / "a.toy", words).err, "") << r.words[0];
  }
}

TEST(OldOptions, ARefusedOneSaysWhatToUseInstead) {
  const Outcome o = run({"-m", "m", "--transform", "LowLatency2[use_const_initializer=False]"});
  EXPECT_EQ(
      o.err,
      "error MO0119: mo-host has no --transform\n"
      "  hint    its transformations are those of the runtime: apply them to the IR there, for LowLatency2 "
      "ov::pass::LowLatency2\n");
  EXPECT_EQ(o.code, 2);
}

TEST(OldOptions, AreNotOffered) {
  const std::string help = run({"help"}).out;
  EXPECT_EQ(help.find("--disable_resnet_optimization"), std::string::npos);
  EXPECT_EQ(help.find("--transform "), std::string::npos);
  EXPECT_EQ(run({"-m", "m", "--trnsform", "x"}).err.find("'--transform'"), std::string::npos);
}

TEST(OldOptions, MayBeShortenedLikeOthers) {
  EXPECT_EQ(run({"-m", "m", "--disable_r", "--transform", "x"}).err.rfind("error MO0119", 0), 0U);
  // Plugins may have more of them.
  const std::string several = run({"-m", "m", "--disable_"}).err;
  EXPECT_EQ(several.rfind("error MO0102: '--disable_' is short for several options: --disable_", 0), 0U)
      << several;
  EXPECT_NE(several.find("--disable_resnet_optimization"), std::string::npos) << several;
}

// All rows of the table in the manual begin with options that are written like `--this`.
TEST(OldOptions, AreAllInTheManual) {
  const std::string manual = read_text(MO_SOURCE_DIR "/packaging/docs/manual/command_line.md");
  const size_t begin = manual.find("## Options of the Model Optimizer");
  ASSERT_NE(begin, std::string::npos);
  const std::string table = manual.substr(begin);
  for (const char* option : {"framework",
                             "input_model",
                             "model_name",
                             "output_dir",
                             "input_shape",
                             "scale",
                             "reverse_input_channels",
                             "log_level",
                             "input",
                             "output",
                             "mean_values",
                             "scale_values",
                             "data_type",
                             "transform",
                             "disable_fusing",
                             "disable_resnet_optimization",
                             "finegrain_fusing",
                             "disable_gfusing",
                             "enable_concat_optimization",
                             "move_to_preprocess",
                             "extensions",
                             "batch",
                             "version",
                             "silent",
                             "freeze_placeholder_with_value",
                             "generate_deprecated_IR_V7",
                             "keep_shape_ops",
                             "static_shape",
                             "disable_weights_compression",
                             "progress",
                             "stream_output",
                             "transformations_config",
                             "legacy_ir_generation",
                             "input_model_is_text",
                             "input_checkpoint",
                             "input_meta_graph",
                             "saved_model_dir",
                             "saved_model_tags",
                             "tensorflow_custom_operations_config_update",
                             "tensorflow_use_custom_operations_config",
                             "tensorflow_object_detection_api_pipeline_config",
                             "disable_nhwc_to_nchw",
                             "tensorboard_logdir",
                             "tensorflow_custom_layer_libraries"})
    EXPECT_NE(table.find(std::string("| `--") + option + "`"), std::string::npos) << option;
}

std::string parameter(const std::string& xml, const std::string& name) {
  const size_t at = xml.find("name=\"" + name + "\" type=\"Parameter\"");
  if (at == std::string::npos) return "no such input";
  const size_t start = xml.find("<data ", at) + 6;
  return xml.substr(start, xml.find("/>", start) - start);
}

TEST(OldOptions, TheBatchIsThatOfAllInputs) {
  const Folder folder;
  write_text(
      folder / "a.toy",
      "toy 1\ninput x f32 1,3\ninput y f32 ?,3\ninput z f32 0,3\nnode Add a x,y -> s\nnode Add b s,z -> t\n"
      "output t\n");
  for (const auto& words :
       std::vector<std::vector<std::string>>{{"--batch", "4"}, {"-b4"}, {"-b", "4"}, {"--bat=4"}}) {
    auto more = words;
    more.insert(more.end(), {"-o", folder / ""});
    const Outcome o = convert(folder / "a.toy", more);
    EXPECT_EQ(o.code, 0) << o.err;
    const std::string xml = read_text(folder / "a.xml");
    for (const char* name : {"x", "y", "z"})
      EXPECT_EQ(parameter(xml, name), "element_type=\"f32\" shape=\"4,3\"") << name;
    EXPECT_NE(xml.find("<batch value=\"4\""), std::string::npos);
  }
}

TEST(OldOptions, ABatchThatDoesNotFit) {
  const Folder folder;
  write_text(folder / "a.toy", "toy 1\ninput x f32 2,3\nnode Copy c x -> s\noutput s\n");
  write_text(folder / "scalar.toy", "toy 1\ninput x f32 -\nnode Copy c x -> s\noutput s\n");
  const std::string hint =
      "  hint    give the inputs their shapes with --input or --input_shape instead\n  model   DIR/";
  struct Row {
    const char* model;
    std::vector<std::string> words;
    std::string err;
  };
  const Row rows[] = {
      {"a.toy",
       {"-b", "4"},
       "error MO0310: --batch 4: input 'x' (Parameter) has the shape [2,3], and its first dimension is 2, "
       "not 0, 1 "
       "or unknown\n" +
           hint + "a.toy\n"},
      {"scalar.toy",
       {"-b", "4"},
       "error MO0310: --batch 4: input 'x' (Parameter) has the shape [], which has no first dimension\n" +
           hint + "scalar.toy\n"},
      {"a.toy", {"-b", "0"}, "error MO0104: --batch is '0'; expected a whole number from 1 on\n"},
      {"a.toy", {"-b", "two"}, "error MO0104: --batch is 'two'; expected a whole number from 1 on\n"},
      {"a.toy",
       {"-b", "4", "--input_shape", "[2,3]"},
       "error MO0118: --batch does not go together with --input_shape\n  hint    write the batch into the "
       "shapes\n"},
      {"a.toy",
       {"-b", "4", "--input", "x[2 3]"},
       "error MO0118: --batch does not go together with shapes in --input\n  hint    write the batch into "
       "the "
       "shapes\n"},
  };
  for (const Row& r : rows) {
    const Outcome o = convert(folder / r.model, r.words);
    EXPECT_EQ(without_path(o.err, folder), r.err);
    EXPECT_EQ(o.code, 2);
  }
  // Two is what it is already.
  EXPECT_EQ(convert(folder / "a.toy", {"-b", "2", "-o", folder / ""}).code, 0);
}

const std::string with_two = "toy 1\ninput x f32 1,3\ninput k f32 3\nnode Add sum x,k -> s\noutput s\n";

std::string first_bytes(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

TEST(OldOptions, PlaceholdersCanBeFrozen) {
  const Folder folder;
  write_text(folder / "a.toy", with_two);
  const std::string freeze = "--freeze_placeholder_with_value";
  for (const auto& words : std::vector<std::vector<std::string>>{
           {freeze, "k->[1 2 3]"},
           {freeze, "k->[1,2,3]", "--input", "x"},
           {freeze, "k->[1 2 3]", "--input", "x,k"},
           {freeze, "k->[1 2 3]", "--input", "x,k->[1 2 3]"},
           {freeze, "k->[1 2 3]", "--input_shape", "[1,3]"},
           {"--freeze", "k:0->[1 2 3]"},
       }) {
    auto more = words;
    more.insert(more.end(), {"-o", folder / ""});
    const Outcome o = convert(folder / "a.toy", more);
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(parameter(read_text(folder / "a.xml"), "k"), "no such input");
    EXPECT_EQ(parameter(read_text(folder / "a.xml"), "x"), "element_type=\"f32\" shape=\"1,3\"");
    EXPECT_EQ(read_text(folder / "a.bin"), first_bytes({1, 2, 3}));
  }
}

TEST(OldOptions, FreezingTwoWaysIsAnError) {
  const Folder folder;
  write_text(folder / "a.toy", with_two);
  const std::string freeze = "--freeze_placeholder_with_value";
  const std::string twice =
      "  hint    --freeze_placeholder_with_value is an older way to write --input 'NAME->VALUE'\n  model   "
      "DIR/a.toy\n";
  struct Row {
    std::vector<std::string> words;
    std::string err;
  };
  const Row rows[] = {
      {{freeze, "k->[1 2 3]", "--input", "x,k->[1 2 4]"},
       "error MO0311: 'k' is frozen twice, as [1 2 4] and as [1 2 3]\n" + twice},
      {{freeze, "k->[1 2 3],k->[1 2 4]"},
       "error MO0311: 'k' is frozen twice, as [1 2 3] and as [1 2 4]\n" + twice},
      {{freeze, "k"},
       "error MO0114: --freeze_placeholder_with_value: a value is missing\n  at      k\n          ^\n"
       "  hint    each item is NAME->VALUE\n"},
      {{freeze, "k->[1 2]"},
       "error MO0308: the value of input 'k' has 2 elements but the shape is [3]\n  model   DIR/a.toy\n"},
      {{freeze, "q->1"},
       "error MO0309: --input: no node or tensor of the model is named 'q'\n"
       "  hint    the model's inputs are 'x', 'k'; `mo-host dump` shows every name\n  model   DIR/a.toy\n"},
  };
  for (const Row& r : rows) {
    const Outcome o = convert(folder / "a.toy", r.words);
    EXPECT_EQ(without_path(o.err, folder), r.err);
    EXPECT_EQ(o.code, 2);
  }
}

TEST(OldOptions, ANodeCanBeFrozenWhenItsShapeIsGivenOrFound) {
  const Folder folder;
  write_text(folder / "a.toy", small_model);
  for (const char* input : {"x,sum:0[3]->[4 5 6]", "x,sum:0->[4 5 6]"}) {
    const Outcome o = convert(folder / "a.toy", {"--input", input, "-o", folder / ""});
    EXPECT_EQ(o.code, 0) << o.err;
    const std::string xml = read_text(folder / "a.xml");
    EXPECT_EQ(xml.find("type=\"Add\""), std::string::npos);
    EXPECT_EQ(read_text(folder / "a.bin"), first_bytes({4, 5, 6})) << input;
  }
}

TEST(OldOptions, ProgressIsShownWhereverItGoes) {
  const Folder folder;
  write_text(folder / "a.toy", small_model);
  const Outcome lines = convert(folder / "a.toy", {"-o", folder / "", "--progress", "--stream_output"});
  EXPECT_EQ(lines.code, 0);
  for (const char* phase :
       {"] load\n", "] extract\n", "] front\n", "] infer\n", "] middle\n", "] back\n", "] emit\n"})
    EXPECT_NE(lines.err.find(phase), std::string::npos) << phase << " in\n" << lines.err;
  EXPECT_EQ(lines.err.find('\r'), std::string::npos);
  EXPECT_NE(convert(folder / "a.toy", {"-o", folder / "", "--progress"}).err.find("\r\033[K["),
            std::string::npos);
  EXPECT_EQ(convert(folder / "a.toy", {"-o", folder / "", "--stream_output"}).err, "");
  EXPECT_EQ(convert(folder / "a.toy", {"-o", folder / "", "--progress", "--silent"}).err, "");
}

#ifdef MO_HAVE_PLUGIN_builtin_passes
#ifdef MO_HAVE_PLUGIN_opset

const std::string image = "toy 1\ninput x f32 1,3,1,1\nnode Copy c x -> s\noutput s\n";

TEST(OldOptions, MeansAndScalesComeOutAsNumbers) {
  const Folder folder;
  write_text(folder / "a.toy", image);
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"--mean_values", "(1,2,3)", "--scale", "4"},
           {"-ms", "x[1,2,3]", "-s", "4"},
           {"--mean_v", "[1 2 3]", "--scale_values", "(4)"},
       }) {
    auto more = words;
    more.insert(more.end(), {"-o", folder / ""});
    const Outcome o = convert(folder / "a.toy", more);
    EXPECT_EQ(o.code, 0) << o.err;
    const std::string bin = read_text(folder / "a.bin");
    EXPECT_EQ(bin.substr(0, 12), first_bytes({-1, -2, -3})) << words[0];
    EXPECT_EQ(bin.substr(64), first_bytes({0.25F})) << words[0];
    const std::string xml = read_text(folder / "a.xml");
    EXPECT_LT(xml.find("name=\"x/mean\""), xml.find("name=\"x/scale\""));
  }
}

TEST(OldOptions, ShortNamesAreInTheHelp) {
  const std::string help = run({"help"}).out;
  EXPECT_NE(help.find("\n  -ms, --mean_values TEXT "), std::string::npos) << help;
  EXPECT_NE(help.find("\n  -s, --scale NUMBER "), std::string::npos);
}

TEST(OldOptions, HalfIsWrittenAsHalf) {
  const Folder folder;
  write_text(folder / "a.toy", small_model);
  const Outcome o = convert(folder / "a.toy", {"--data_type", "FP16", "-o", folder / ""});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(read_text(folder / "a.bin"), std::string("\x00\x3c\x00\x40\x00\x42", 6));  // 1, 2, 3
  const std::string xml = read_text(folder / "a.xml");
  EXPECT_EQ(parameter(xml, "x"), "element_type=\"f16\" shape=\"1,3\"");
  EXPECT_EQ(xml.find("FP32"), std::string::npos);
  EXPECT_NE(xml.find("<data_type value=\"FP16\""), std::string::npos) << xml;
}

TEST(OldOptions, MistakesInOptionsOfPluginsAreMistakesOfTheCommandLine) {
  const Folder folder;
  write_text(folder / "a.toy", image);
  for (const auto& words : std::vector<std::vector<std::string>>{{"--mean_values", "q(1)"},
                                                                 {"--scale", "2", "--scale_values", "(2)"}}) {
    const Outcome o = convert(folder / "a.toy", words);
    EXPECT_EQ(o.code, 2) << o.err;
    EXPECT_EQ(o.err.rfind("error MO0117: " + words[0] + ": ", 0), 0U) << o.err;
  }
  const Outcome o = convert(folder / "a.toy", {"--data_type", "FP8"});
  EXPECT_EQ(o.code, 2) << o.err;
  EXPECT_EQ(o.err.rfind("error MO0104: --data_type is 'FP8'; expected FP16|FP32|half|float", 0), 0U) << o.err;
}

#endif
#endif

}  // namespace
}  // namespace mo::test
