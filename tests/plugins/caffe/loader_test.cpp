// The loader: what networks and weights may look like, and what they may not.
#include <sys/stat.h>

#include "caffe_fixture.hpp"

namespace mo::test {

using testing::HasSubstr;

namespace {

class CaffeLoader : public Caffe {};

constexpr const char* data =
    R"(layer { name: "data" type: "Input" top: "data" input_param { shape { dim: 1 dim: 2 dim: 3 dim: 3 } } }
)";

std::string net(std::string_view layers) { return std::string(data) + std::string(layers); }

TEST_F(CaffeLoader, NamesOfLayersAndBlobsSurvive) {
  const auto g = prepare(net(R"(
    layer { name: "act" type: "TanH" bottom: "data" top: "middle" }
    layer { name: "in_place" type: "ReLU" bottom: "middle" top: "middle" }
    layer { name: "last" type: "Sigmoid" bottom: "middle" top: "out" })"));
  EXPECT_EQ(type(*g, "act"), "Tanh@opset1");
  EXPECT_EQ(type(*g, "in_place"), "ReLU@opset1");
  EXPECT_EQ(names_of(*g, {node(*g, "act"), 0}), "");
  EXPECT_EQ(names_of(*g, {node(*g, "in_place"), 0}), "middle");
  EXPECT_EQ(names_of(*g, {node(*g, "data"), 0}), "data");
  EXPECT_EQ(names_of(*g, output(*g)), "out");
  EXPECT_EQ(g->name(g->results()[0]), "last/sink_port_0");
  EXPECT_EQ(g->name(g->source({node(*g, "last"), 0}).node), "in_place");
}

TEST_F(CaffeLoader, AnInputThatIsWrittenInPlaceLosesItsBlobsName) {
  const auto g = prepare(net("layer { name: 'r' type: 'ReLU' bottom: 'data' top: 'data' }"));
  EXPECT_EQ(names_of(*g, {node(*g, "data"), 0}), "");
  EXPECT_EQ(names_of(*g, output(*g)), "data");
}

TEST_F(CaffeLoader, OldFormsOfInputs) {
  for (const char* head : {"input: \"data\" input_dim: 1 input_dim: 2 input_dim: 3 input_dim: 4 ",
                           "input: \"data\" input_shape { dim: 1 dim: 2 dim: 3 dim: 4 } ",
                           "input: 'data', input_shape: < dim: [1, 2, 3, 4] >; "}) {
    const auto g = prepare(std::string(head) + "layer { name: 'r' type: 'ReLU' bottom: 'data' top: 'r' }");
    EXPECT_EQ(shape(*g), (Shape{1, 2, 3, 4})) << head;
  }
  const auto g = prepare(R"(input: "a" input: "b" input_dim: [1, 1, 1, 2, 1, 1, 1, 2]
    layer { name: "s" type: "Eltwise" bottom: "a" bottom: "b" top: "s" })");
  EXPECT_EQ(g->parameters().size(), 2U);
  EXPECT_THAT(failure_of("input: 'a' input_dim: 1 layer { type: 'ReLU' bottom: 'a' top: 'b' }"),
              HasSubstr("there are 1 input_dim for 1 input; expected 4 for each"));
}

TEST_F(CaffeLoader, RulesOfPhasesLevelsAndStages) {
  const char* text = R"(
    layer { name: "train" type: "Dropout" bottom: "data" top: "t" include { phase: TRAIN } }
    layer { name: "test" type: "TanH" bottom: "data" top: "x" include { phase: TEST } }
    layer { name: "deep" type: "ReLU" bottom: "x" top: "x" include { min_level: 2 max_level: 3 } }
    layer { name: "staged" type: "Sigmoid" bottom: "x" top: "x" include { stage: "deploy" stage: "fast" not_stage: "slow" } }
    layer { name: "not" type: "AbsVal" bottom: "x" top: "x" exclude { stage: "deploy" } })";
  const auto ops = [&] {
    const auto g = prepare(net(text));
    return text_of(*g);
  };
  EXPECT_EQ(ops(), "Tanh Abs");
  options_["caffe_level"] = int64_t{2};
  EXPECT_EQ(ops(), "Tanh ReLU Abs");
  options_["caffe_level"] = int64_t{4};
  options_["caffe_stages"] = std::vector<std::string>{"deploy", "fast"};
  EXPECT_EQ(ops(), "Tanh Sigmoid");
  options_["caffe_stages"] = std::vector<std::string>{"deploy", "fast", "slow"};
  EXPECT_EQ(ops(), "Tanh");
  EXPECT_THAT(failure_of(net("layer { name: 'b' type: 'ReLU' bottom: 'data' top: 'b' include { phase: TEST } "
                             "exclude { phase: TRAIN } }")),
              HasSubstr("layer 'b' has rules to include and to exclude it"));
}

TEST_F(CaffeLoader, LayersOfTheFirstAndSecondForm) {
  const std::vector<BlobBytes> blobs{{{1, 1, 1, 1}, {3}}, {{1, 1, 1, 1}, {1}}};
  // A padding layer is part of the convolution behind it.
  const auto v0 = prepare(R"(input: "data" input_dim: [1, 1, 1, 1]
    layers { layer { name: "pad" type: "padding" pad: 1 } bottom: "data" top: "padded" }
    layers { layer { name: "conv" type: "conv" num_output: 1 kernelsize: 1 stride: 2 } bottom: "padded" top: "conv" }
    layers { layer { name: "relu" type: "relu" } bottom: "conv" top: "conv" })",
                          WeightsBuilder().v0_layer("conv", blobs).bytes());
  EXPECT_EQ(text_of(*v0), "Convolution Add ReLU");
  EXPECT_EQ(shape(*v0), (Shape{1, 1, 2, 2}));
  const auto v1 = prepare(R"(input: "data" input_dim: [1, 1, 1, 1]
    layers { name: "conv" type: CONVOLUTION bottom: "data" top: "conv" blobs_lr: 1 weight_decay: 0 param: "w"
             convolution_param { num_output: 1 kernel_size: 1 } }
    layers { name: "tanh" type: TANH bottom: "conv" top: "tanh" }
    layers { name: "loss" type: SOFTMAX_LOSS bottom: "tanh" bottom: "label" })",
                          WeightsBuilder().v1_layer("conv", blobs).bytes());
  EXPECT_EQ(text_of(*v1), "Convolution Add Tanh");
  EXPECT_THAT(failure_of("layer { type: 'ReLU' top: 'a' } layers { type: RELU top: 'b' }"),
              HasSubstr("layers of the new form ('layer') and of the old one ('layers')"));
}

TEST_F(CaffeLoader, DataLayersAreInputsAndLossesAreLeftOut) {
  const auto g = prepare(R"(
    layer { name: "images" type: "Data" top: "data" top: "label" data_param { batch_size: 4 } transform_param { crop_size: 7 } }
    layer { name: "act" type: "ReLU" bottom: "data" top: "act" }
    layer { name: "loss" type: "SoftmaxWithLoss" bottom: "act" bottom: "label" top: "loss" }
    layer { name: "accuracy" type: "Accuracy" bottom: "act" bottom: "label" top: "accuracy" }
    layer { name: "quiet" type: "Silence" bottom: "label" })");
  ASSERT_EQ(g->parameters().size(), 1U);
  EXPECT_EQ(g->name(g->parameters()[0]), "data");
  EXPECT_EQ(shape(*g), (Shape{4, any_dim, 7, 7}));
  EXPECT_EQ(g->results().size(), 1U);
}

TEST_F(CaffeLoader, OutputsInTheOrderOfTheLayers) {
  const auto g = prepare(net(R"(
    layer { name: "z" type: "ReLU" bottom: "data" top: "z" }
    layer { name: "split" type: "Split" bottom: "data" top: "y" top: "x" }
    layer { name: "a" type: "TanH" bottom: "x" top: "a" }
    layer { name: "b" type: "TanH" bottom: "y" top: "y" })"));
  std::vector<std::string> names;
  for (const core::NodeId r : g->results())
    names.push_back(g->name(g->source({r, 0}).node) == "z" ? "z" : std::string(g->name(r)));
  EXPECT_EQ(names, (std::vector<std::string>{"z", "a/sink_port_0", "b/sink_port_0"}));
}

TEST_F(CaffeLoader, WeightsAreViewsOfTheFile) {
  const auto g = prepare(net(R"(layer { name: "fc" type: "InnerProduct" bottom: "data" top: "fc"
                                inner_product_param { num_output: 1 bias_term: false } })"),
                         WeightsBuilder().layer("fc", {{{1, 18}, std::vector<float>(18, 0.5F)}}).bytes());
  for (const core::NodeId n : g->nodes_of("Const"))
    if (const auto& t = g->out({n, 0}).tensor; t.shape == Shape{1, 18}) {
      EXPECT_NE(t.value->file, nullptr);
      EXPECT_EQ(t.value->buffer, nullptr);
      return;
    }
  FAIL() << app::to_text(*g);
}

TEST_F(CaffeLoader, ParametersOfOneNameAreShared) {
  const auto g = prepare(net(R"(
    layer { name: "a" type: "InnerProduct" bottom: "data" top: "a" param { name: "w" } inner_product_param { num_output: 1 bias_term: false } }
    layer { name: "b" type: "InnerProduct" bottom: "data" top: "b" param { name: "w" } inner_product_param { num_output: 1 bias_term: false } })"),
                         WeightsBuilder().layer("a", {{{1, 18}, std::vector<float>(18, 0.5F)}}).bytes());
  EXPECT_EQ(count(*g, "MatMul"), 2U);
}

TEST_F(CaffeLoader, OnlyANetworkWithoutWeights) {
  const std::string text = net(R"(layer { name: "conv" type: "Convolution" bottom: "data" top: "conv"
                                  convolution_param { num_output: 2 kernel_size: 3 } })");
  const std::string message = failure_of(text);
  EXPECT_THAT(message, HasSubstr("there is only a .prototxt, no weights"));
  EXPECT_THAT(message, HasSubstr("--allow_missing_weights"));
  EXPECT_THAT(message, HasSubstr("'conv' (Convolution)"));
  EXPECT_THAT(failure_of(text, WeightsBuilder().layer("other", {{{1}, {1}}}).bytes()),
              HasSubstr("the .caffemodel has no weights 0 for it; is it that of this network?"));
  options_["allow_missing_weights"] = true;
  EXPECT_EQ(shape(*prepare(text)), (Shape{1, 2, 1, 1}));
}

TEST_F(CaffeLoader, MistakesInTheTextHaveLineAndColumn) {
  const std::pair<const char*, const char*> rows[] = {
      {"layer {\n  name \"x\"\n}", "net.prototxt:2:8: expected ':' or '{' after 'name', found a string"},
      {"layer {\n  name: 'x\n}", "net.prototxt:2:9: the string does not end on its line"},
      {"layer {\n  bottom: 3 }", "net.prototxt:2:11: field 'bottom': expected a string in quotes"},
      {"layer { top: 'a'",
       "net.prototxt:1:17: expected the name of a field or '}', found the end of the file"},
      {"layer { pooling_param { pool: BEST } }", "field 'pool': expected one of AVE, MAX, STOCHASTIC"},
      {"layer { pooling_param { stride: -1 } }", "field 'stride': expected a whole number from 0 on"},
      {"layer { pooling_param { stride: 5000000000 } }", "field 'stride': 5000000000 is too large"},
      {"layer { name: 'a' name: 'b' }", "net.prototxt:1:19: field 'name' is there twice"},
      {"layer: 3", "net.prototxt:1:8: field 'layer' is a message: expected '{'"},
      {"}", "net.prototxt:1:1: expected the name of a field, found '}'"},
      {"layer { name: '\\q' }", "no such escape in a string"},
      {"\x01", "a byte that is no character of such a file (1); is it text?"},
  };
  for (const auto& [text, expected] : rows) EXPECT_THAT(failure_of(text), HasSubstr(expected)) << text;
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "x { ";
  EXPECT_THAT(failure_of(deep), HasSubstr("messages are nested more than 64 deep"));
}

TEST_F(CaffeLoader, MistakesOfNetworks) {
  const std::pair<const char*, const char*> rows[] = {
      {"layer { name: 'a' type: 'ReLU' bottom: 'nothing' top: 'x' }",
       "layer 'a' (ReLU): it reads blob 'nothing', which no layer before it gives"},
      {"layer { name: 'a' type: 'ReLU' bottom: 'data' top: 'x' } layer { name: 'b' type: 'ReLU' bottom: "
       "'data' top: 'x' }",
       "blob 'x' is already given by layer 'a'"},
      {"layer { name: 'a' bottom: 'data' top: 'x' }", "it has no type"},
      {"layer { name: 'a' type: 'Python' bottom: 'data' top: 'x' }",
       "python_param with a module and a layer is missing"},
      {"layer { name: 'a' type: 'Nobody' bottom: 'data' top: 'x' }", "Nobody, version 1: 1 node, 'a'"},
      {"", "no layer's output is left unread"},
  };
  for (const auto& [text, expected] : rows) EXPECT_THAT(failure_of(net(text)), HasSubstr(expected)) << text;
}

TEST_F(CaffeLoader, DamagedWeights) {
  const std::string text =
      net("layer { name: 'fc' type: 'InnerProduct' bottom: 'data' top: 'fc' inner_product_param { "
          "num_output: 1 bias_term: false } }");
  const std::string good = WeightsBuilder().layer("fc", {{{1, 18}, std::vector<float>(18, 1)}}).bytes();
  EXPECT_EQ(failure_of(text, good), "");
  // Every beginning of the file is refused with a message.
  for (size_t n = 1; n < good.size(); ++n)
    EXPECT_NE(failure_of(text, good.substr(0, n), core::Stage::load), "") << n;
  EXPECT_THAT(failure_of(text, WeightsBuilder().layer("fc", {{{1, 17}, std::vector<float>(18, 1)}}).bytes()),
              HasSubstr("its shape [1,17] takes 17 numbers, but it holds 18"));
  EXPECT_THAT(
      failure_of(text, WeightsBuilder().layer("fc", {{{int64_t{1} << 40, int64_t{1} << 40}, {1}}}).bytes()),
      HasSubstr("is not a shape of a blob"));
  EXPECT_THAT(failure_of(text, WeightsBuilder().layer("fc", {{{3, 6}, std::vector<float>(18, 1)}}).bytes()),
              "");
  EXPECT_THAT(failure_of(text, WeightsBuilder().layer("fc", {{{17}, std::vector<float>(17, 1)}}).bytes()),
              HasSubstr("fc"));
  EXPECT_THAT(failure_of(text, "\x89HDF\r\n\x1a\n rest"), HasSubstr("is an HDF5 file"));
}

TEST_F(CaffeLoader, TheDescriptionThatIsFoundBesideWeightsLiesInTheirFolder) {
  namespace fs = std::filesystem;
  const std::string relu = net("layer { name: 'r' type: 'ReLU' bottom: 'data' top: 'r' }");
  const TemporaryFolder outside;
  const fs::path elsewhere = outside.write("net.prototxt", relu), beside = folder_ / "net.prototxt";
  const fs::path weights = folder_.write("net.caffemodel", WeightsBuilder().layer("r", {}).bytes());
  const auto failure = [&] { return ConversionTest::failure_of(weights); };
  fs::create_symlink(elsewhere, beside);
  EXPECT_THAT(failure(), HasSubstr("'net.prototxt' is refused: a link leads out of the folder"));
  options_["input_proto"] = beside.string();  // a name that is given may be a link to anywhere
  EXPECT_EQ(failure(), "");
  options_.clear();
  fs::remove(beside);
  ASSERT_EQ(mkfifo(beside.c_str(), 0600), 0);
  EXPECT_THAT(failure(), HasSubstr("net.prototxt"));
  fs::remove(beside);
  fs::create_directory(beside);
  EXPECT_THAT(failure(), HasSubstr("net.prototxt"));
  fs::remove(beside);
  folder_.write("net.prototxt", relu);
  EXPECT_EQ(failure(), "");
}

TEST_F(CaffeLoader, FieldsOutsideOfTheSchemaAreKeptWithAWarning) {
  const auto g =
      prepare(net("layer { name: 'r' type: 'ReLU' bottom: 'data' top: 'r' novel_param { depth: 3 } }"));
  EXPECT_EQ(text_of(*g), "ReLU");
  EXPECT_THAT(log_, HasSubstr("field 'novel_param' of caffe.LayerParameter is not in the schema"));
  EXPECT_THAT(log_, HasSubstr("; a fork's schema is given with --caffe_proto"));
}

TEST_F(CaffeLoader, WhoHasGivenASchemaIsNotToldToGiveOne) {
  options_["caffe_proto"] = std::string(MO_SOURCE_DIR "/plugin_api/examples/caffe_layers/acme_caffe.proto");
  prepare(net("layer { name: 'r' type: 'ReLU' bottom: 'data' top: 'r' novel_param { depth: 3 } }"));
  EXPECT_THAT(log_, HasSubstr("field 'novel_param' of"));
  EXPECT_THAT(log_, HasSubstr("; the schema is '"));
  EXPECT_THAT(log_, testing::Not(HasSubstr("--caffe_proto")));
}

}  // namespace

}  // namespace mo::test
