// Layers of a vendor: a fork's own parameters, Python layers, mapped layers; and mean images. The vendor's
// plugin is the one of plugin_api/examples/caffe_layers, here inside of the test.
#include "caffe_fixture.hpp"
#include "core/host/host_tables.hpp"
#include "plugin_api/examples/caffe_layers/caffe_layers.hpp"
#include "tests/support/test_plugin.hpp"

namespace mo::test {

using testing::HasSubstr;

namespace {

constexpr const char* example = MO_SOURCE_DIR "/plugin_api/examples/caffe_layers/";

class CaffeVendors : public Caffe {
 protected:
  CaffeVendors() {
    plugin_ = [](core::Session& s) { load_test_plugin<acme::register_caffe_layers>(s); };
  }
  template <class T>
  static T attribute(const core::Graph& g, std::string_view node_name, std::string_view name) {
    const core::Attribute* a = g.attribute(node(g, node_name), name);
    if (a == nullptr || !std::holds_alternative<T>(*a)) {
      ADD_FAILURE() << "no such attribute: " << name << "\n" << app::to_text(g);
      return {};
    }
    return std::get<T>(*a);
  }
};

TEST_F(CaffeVendors, ForkPythonAndMappedLayer) {
  options_["caffe_proto"] = std::string(example) + "acme_caffe.proto";
  options_["k"] = std::string(example) + "mapping.xml";
  const auto g = ConversionTest::prepare(std::string(example) + "acme_net.prototxt");
  EXPECT_EQ(text_of(*g), "Gain Gain Blur Halve");
  EXPECT_EQ(attribute<double>(*g, "gain", "gain"), 1.5);
  EXPECT_EQ(attribute<std::vector<double>>(*g, "gain", "range"), (std::vector<double>{-1, 1}));
  EXPECT_EQ(attribute<std::string>(*g, "gain", "mode"), "HARD");
  // What the network leaves out is as the vendor's schema says.
  EXPECT_EQ(attribute<double>(*g, "plain", "gain"), 2.5);
  EXPECT_EQ(attribute<std::string>(*g, "plain", "mode"), "SOFT");
  EXPECT_EQ(attribute<int64_t>(*g, "blur", "radius"), 3);
  EXPECT_EQ(attribute<std::string>(*g, "blur", "origin"), "acme.filters:Blur:{'radius': 3}");
  EXPECT_EQ(attribute<int64_t>(*g, "half", "phase"), 1);
  EXPECT_EQ(attribute<double>(*g, "half", "weight"), 0.5);
  EXPECT_EQ(shape(*g), (Shape{1, 3, 4, 4}));
}

TEST_F(CaffeVendors, BlobsAreInputsBehindTheBottoms) {
  const auto g =
      prepare(R"(layer { name: "data" type: "Input" top: "data" input_param { shape { dim: [1, 2] } } }
    layer { name: "gain" type: "Gain" bottom: "data" top: "gain" gain_param { gain: 2 range: [0, 1] } })",
              WeightsBuilder().layer("gain", {{{3}, {1, 2, 3}}}).bytes());
  const core::NodeId n = node(*g, "gain");
  ASSERT_EQ(g->node(n).inputs.size(), 2U);
  EXPECT_EQ(g->out(g->source({n, 1})).tensor.shape, (Shape{3}));
  EXPECT_EQ(attribute<double>(*g, "gain", "gain"), 2);  // kept as it is written, without a schema
}

void extract_by_number(SourceNode& n) {
  n.set_op("Gain", "com.acme");
  n.set("gain", n.native<double>("#9001.1")).set("mode", n.native<std::string>("#9001.2"));
  n.set("range", std::vector<double>{static_cast<double>(n.native<int64_t>("#147"))});
}
void register_by_number(Registry& r) {
  r.operation<acme::Gain>();
  r.extractor<extract_by_number>({"caffe", "", "Gain"});
}

TEST_F(CaffeVendors, FieldsByTheirNumbers) {
  plugin_ = [](core::Session& s) { load_test_plugin<register_by_number>(s); };
  const float gain = 0.25F;
  const std::string fixed = varint(1U << 3U | 5U) + std::string(reinterpret_cast<const char*>(&gain), 4);
  const auto g = prepare(
      R"(layer { name: "data" type: "Input" top: "data" input_param { shape { dim: [1, 2] } } }
    layer { name: "gain" type: "Gain" bottom: "data" top: "gain" })",
      WeightsBuilder().layer("gain", {}, field(9001, fixed + field(2, "word")) + field(147, 42U)).bytes());
  EXPECT_EQ(attribute<double>(*g, "gain", "gain"), 0.25);
  EXPECT_EQ(attribute<std::string>(*g, "gain", "mode"), "word");
  EXPECT_EQ(attribute<std::vector<double>>(*g, "gain", "range"), (std::vector<double>{42}));
}

// An extension that takes a layer which the built-in transformations and the mapping know, too.
void extract_relu(SourceNode& n) {
  n.set_op("Blur", "com.acme");
  n.set("radius", 1).set("origin", "extension");
}
void register_relu(Registry& r) {
  r.operation<acme::Blur>();
  r.extractor<extract_relu>({"caffe", "", "ReLU"});
}

TEST_F(CaffeVendors, MappingThenExtensionsThenBuiltIn) {
  const std::string text =
      R"(layer { name: "data" type: "Input" top: "data" input_param { shape { dim: [1, 2] } } }
    layer { name: "act" type: "ReLU" bottom: "data" top: "act" relu_param { negative_slope: 0.5 engine: CAFFE } })";
  const auto type_of_act = [&] { return type(*prepare(text), "act"); };
  plugin_ = {};
  EXPECT_EQ(type_of_act(), "PReLU@opset1");
  plugin_ = [](core::Session& s) { load_test_plugin<register_relu>(s); };
  EXPECT_EQ(type_of_act(), "Blur@com.acme");
  options_["k"] = write("k.xml",
                        "<a><CustomLayer NativeType='ReLU' hasParam='true' protoParamName='relu_param' "
                        "outputShape='input'/></a>");
  EXPECT_EQ(type_of_act(), "ReLU@extension");
}

TEST_F(CaffeVendors, ShapesOfMappedLayers) {
  plugin_ = {};
  const std::string text =
      R"(layer { name: "data" type: "Input" top: "data" input_param { shape { dim: [1, 2] } } }
    layer { name: "odd" type: "Odd" bottom: "data" top: "odd" odd_param { depth: 3 } })";
  const auto map = [&](std::string_view more) {
    options_["k"] =
        write("k.xml", "<a><CustomLayer NativeType='Odd' hasParam='true' protoParamName='odd_param' " +
                           std::string(more) + "/></a>");
  };
  map("outputShape='[1, 7,?]'");
  EXPECT_EQ(shape(*prepare(text)), (Shape{1, 7, any_dim}));
  map("outputShape='input'");
  EXPECT_EQ(shape(*prepare(text)), (Shape{1, 2}));
  map("");
  EXPECT_THAT(failure_of(text),
              HasSubstr("nobody knows the shape of operation 'Odd': give outputShape in the file of --k"));
  const std::pair<const char*, const char*> wrong[] = {
      {"<a><CustomLayer hasParam='true'/></a>", "has no NativeType"},
      {"<a><CustomLayer NativeType='A' hasParam='1'/></a>",
       "entry 'A' has hasParam '1'; expected true or false"},
      {"<a><CustomLayer NativeType='A' hasParam='true'/></a>",
       "entry 'A' has parameters, but no protoParamName"},
      {"<a><Layer/></a>", "has an element 'Layer'; expected CustomLayer"},
      {"<a><CustomLayer NativeType='A' hasParam='false' outputShape='7'/></a>", "outputShape of 'A' is '7'"},
      {"<a>", "is not XML"},
  };
  for (const auto& [xml, expected] : wrong) {
    options_["k"] = write("k.xml", xml);
    EXPECT_THAT(failure_of(text), HasSubstr(expected)) << xml;
  }
}

TEST_F(CaffeVendors, SchemasOfForks) {
  const std::string text = "layer { name: 'a' }";
  const std::pair<const char*, const char*> wrong[] = {
      {"message NetParameter { optional Foo foo = 1; }",
       "fork.proto:1:33: field 'foo': there is no message or enumeration 'Foo'"},
      {"message NetParameter { optional int32 foo = x; }", "1:45: expected a whole number"},
      {"message NetParameter {", "expected"},
      {"message LayerParameter {}", "has no message NetParameter; it is not a schema of Caffe"},
      {"import 'other.proto';", "cannot read the imported file 'other.proto'"},
      {"import '../../../etc/passwd';", "cannot read the imported file"},
  };
  for (const auto& [proto, expected] : wrong) {
    options_["caffe_proto"] = write("fork.proto", proto);
    EXPECT_THAT(failure_of(text), HasSubstr(expected)) << proto;
  }
  std::string deep = "message NetParameter {";
  for (int i = 0; i < 10000; ++i) deep += "message A {";
  options_["caffe_proto"] = write("fork.proto", deep);
  EXPECT_THAT(failure_of(text), HasSubstr("messages are nested more than"));
}

class CaffeMeanImage : public Caffe {
 protected:
  // Input 1 x 3 x 1 x 2, which is the output, too, but for what is subtracted.
  core::GraphPtr convert() {
    return prepare(
        R"(layer { name: "data" type: "Input" top: "data" input_param { shape { dim: [1, 3, 1, 2] } } }
      layer { name: "out" type: "ReLU" bottom: "data" top: "out" })");
  }
  std::string failure() {
    return failure_of(
        R"(layer { name: "data" type: "Input" top: "data" input_param { shape { dim: [1, 3, 1, 2] } } }
      layer { name: "out" type: "ReLU" bottom: "data" top: "out" })");
  }
  std::string image(int64_t c, int64_t h, int64_t w) {
    std::vector<float> values;
    for (int64_t i = 0; i < c * h * w; ++i) values.push_back(static_cast<float>(i));
    return write("mean.binaryproto", old_blob({{1, c, h, w}, values}));
  }
  static std::vector<double> subtracted(const core::Graph& g) {
    static const core::Session session{core::host_table()};
    const Tensor t =
        Tensor::borrow(session.host(), g.out({node(g, "data/mean_image/value"), 0}).tensor.value.get());
    std::vector<double> list;
    for (size_t i = 0; i < t.size(); ++i) list.push_back(-t.number(i));
    return list;
  }
};

TEST_F(CaffeMeanImage, ItsMiddleOrAPartOfItIsSubtracted) {
  options_["mean_file"] = image(3, 3, 4);
  EXPECT_EQ(subtracted(*convert()), (std::vector<double>{5, 6, 17, 18, 29, 30}));
  options_["mean_file_offsets"] = std::string("(2, 0)");
  EXPECT_EQ(subtracted(*convert()), (std::vector<double>{2, 3, 14, 15, 26, 27}));
  // Before the input is scaled, behind channels that are reversed.
  options_["scale"] = 2.0;
  options_["reverse_input_channels"] = true;
  EXPECT_EQ(text_of(*convert()), "Gather Add Multiply ReLU");
}

TEST_F(CaffeMeanImage, Mistakes) {
  options_["mean_file"] = image(3, 1, 1);
  EXPECT_THAT(failure(), HasSubstr("--mean_file: the input is 1 by 2, larger than the image, 1 by 1"));
  options_["mean_file"] = image(1, 3, 3);
  EXPECT_THAT(failure(), HasSubstr("--mean_file: the image has 1 channels, the input 3"));
  options_["mean_file"] = image(3, 3, 4);
  options_["mean_file_offsets"] = std::string("(3,0)");
  EXPECT_THAT(failure(), HasSubstr("--mean_file_offsets: (3,0) leave no 1 by 2 of the image"));
  options_["mean_file_offsets"] = std::string("(-1,0)");
  EXPECT_THAT(failure(), HasSubstr("--mean_file_offsets: is '(-1,0)'; expected two numbers"));
  options_.erase("mean_file_offsets");
  options_["mean_values"] = std::string("(1,2,3)");
  EXPECT_THAT(failure(), HasSubstr("--mean_file: --mean_values are there, too"));
  options_.erase("mean_values");
  options_["mean_file"] = write("empty", "");
  EXPECT_THAT(failure(), HasSubstr("is empty"));
  options_["mean_file"] = write("text", "no image");
  EXPECT_THAT(failure(), HasSubstr("is not an image of Caffe"));
}

}  // namespace

}  // namespace mo::test
