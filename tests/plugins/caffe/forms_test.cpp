// Forms that texts, schemas and weights of Caffe have, beside those of every day.
#include "caffe_fixture.hpp"

namespace mo::test {
namespace {

using testing::HasSubstr;

class CaffeForms : public Caffe {
 protected:
  // A file with the messages that a network needs, and more.
  std::string schema(std::string_view more, std::string_view layer = {}) {
    const std::string text = R"(syntax = "proto2";
      package fork;
      import public "google/protobuf/descriptor.proto";
      option java_package = "org.fork";
      message NetParameter {
        repeated string input = 3; repeated int32 input_dim = 4; repeated LayerParameter layer = 100;
        reserved 5, 7 to 9; extensions 200 to max;
      }
      message LayerParameter {
        optional string name = 1; optional string type = 2; repeated string bottom = 3; repeated string top = 4;
        )" + std::string(layer) +
                             "}\n" + std::string(more);
    options_["caffe_proto"] = write("fork.proto", text);
    return text;
  }
};

constexpr const char* input = "input: 'x' input_dim: [1, 2, 3, 4]\n";

std::string relu(std::string_view more = {}) {
  return std::string(input) + "layer { name: 'r' type: 'ReLU' bottom: 'x' top: 'r' " + std::string(more) +
         "}";
}

TEST_F(CaffeForms, ShapesOfDataLayers) {
  const std::pair<const char*, Shape> rows[] = {
      {"'DummyData' dummy_data_param { shape { dim: 2 dim: 3 } }", {2, 3}},
      {"'DummyData' dummy_data_param { num: 2 channels: 3 height: 4 width: 5 }", {2, 3, 4, 5}},
      {"'DummyData' dummy_data_param { num: 2 channels: 3 height: 0 }", {2, 3, any_dim, any_dim}},
      {"'DummyData' dummy_data_param { }", Shape::unknown()},
      {"'DummyData'", Shape::unknown()},
      {"'MemoryData' memory_data_param { batch_size: 2 channels: 3 height: 4 width: 5 }", {2, 3, 4, 5}},
      {"'ImageData' image_data_param { new_height: 6 new_width: 7 }", {1, 3, 6, 7}},
      {"'ImageData' image_data_param { batch_size: 2 is_color: false } transform_param { crop_size: 8 }",
       {2, 1, 8, 8}},
      {"'WindowData' window_data_param { batch_size: 3 crop_size: 8 }", {3, any_dim, 8, 8}},
      {"'WindowData'", Shape::unknown()},
      {"'Input'", Shape::unknown()},
  };
  for (const auto& [layer, expected] : rows) {
    const auto g = prepare(text("layer { name: 'd' top: 'd' type: ", layer,
                                " } layer { name: 'r' type: 'ReLU' bottom: 'd' top: 'r' }"),
                           {}, core::Stage::load);
    ASSERT_EQ(g->parameters().size(), 1U) << layer;
    EXPECT_EQ(g->out({g->parameters()[0], 0}).tensor.shape, expected) << layer;
  }
  const auto g = prepare(R"(layer { name: 'd' type: 'DummyData' top: 'a' top: 'b'
                                    dummy_data_param { shape { dim: 1 dim: 2 } shape { dim: 1 dim: 3 } } }
    layer { name: 'c' type: 'Concat' bottom: 'a' bottom: 'b' top: 'c' })");
  EXPECT_EQ(shape(*g), (Shape{1, 5}));
  EXPECT_THAT(
      failure_of("layer { name: 'd' type: 'Input' top: 'a' top: 'b' top: 'c' input_param { shape { dim: 1 } "
                 "shape { dim: 2 } } } layer { name: 's' type: 'Eltwise' bottom: 'a' bottom: 'b' "
                 "bottom: 'c' top: 's' }"),
      HasSubstr("it has 2 shapes for its 3 outputs; expected one for all or one for each"));
}

TEST_F(CaffeForms, ALayerWithoutANameIsCalledByItsBlob) {
  const auto g = prepare(std::string(input) + "layer { type: 'TanH' bottom: 'x' top: 't' }");
  EXPECT_EQ(type(*g, "t"), "Tanh@opset1");
}

TEST_F(CaffeForms, FilesWithoutTheirNamesAreKnownByWhatTheyHold) {
  convert_.framework.clear();
  const auto ops = [&](const std::string& name, const std::string& bytes) {
    const auto g = ConversionTest::prepare(write(name, bytes));
    return std::string(g->op(output(*g).node));
  };
  EXPECT_EQ(ops("net.txt", relu()), "ReLU");
  // What looks like weights is read as weights, and lacks its network.
  const std::string weights = field(1, "a net") + WeightsBuilder().layer("r", {}).bytes();
  EXPECT_THAT(ConversionTest::failure_of(write("other", weights)), HasSubstr("other"));
  EXPECT_THAT(ConversionTest::failure_of(write("third", field(1,
                                                              "a\x01"
                                                              "b") +
                                                            weights)),
              HasSubstr("third"));
}

TEST_F(CaffeForms, UnknownFieldsTakeAnyValue) {
  const auto g =
      prepare(relu(R"(novel { a: true b: -1 c: 1.5 d: -2e3 e: word f: 'x' "y" g: [1, 2] h: [] i: -inf }
                                 [org.fork.ext] { k: 99999999999999999999 } [a/b]: 3 )"));
  EXPECT_EQ(text_of(*g), "ReLU");
  EXPECT_THAT(log_, HasSubstr("field 'novel' of caffe.LayerParameter is not in the schema"));
}

TEST_F(CaffeForms, MistakesInValues) {
  const std::pair<const char*, const char*> rows[] = {
      {"power_param { power: two }", "field 'power': expected a number"},
      {"power_param { power: [1] }", "field 'power' has one value, not a list"},
      {"power_param { power: }", "expected a value of field 'power', found '}'"},
      {"prelu_param { channel_shared: 2 }", "field 'channel_shared': expected true or false"},
      {"pooling_param { pool: 7 }", "field 'pool': expected one of AVE, MAX, STOCHASTIC"},
      {"pooling_param { pool: -1 }", "field 'pool': expected one of AVE, MAX, STOCHASTIC"},
      {"pooling_param { pool: 'MAX' }", "field 'pool': expected one of AVE, MAX, STOCHASTIC"},
      {"bottom: word", "field 'bottom': expected a string in quotes"},
  };
  for (const auto& [more, expected] : rows) EXPECT_THAT(failure_of(relu(more)), HasSubstr(expected)) << more;
}

TEST_F(CaffeForms, SchemasOfForks) {
  schema(R"(extend LayerParameter { optional int32 extra = 200; }
            extend fork.LayerParameter { optional double more = 201; }
            message FooParameter { enum Mode { option allow_alias = true; reserved 5; MAX = 0; LOW = -1; }
              optional Mode mode = 1 [default = LOW, deprecated = true]; message Inner { optional bool b = 1; }
              optional Inner inner = 2; ; }
            service Trainer { rpc Train (NetParameter) returns (LayerParameter) { } })",
         "oneof either { FooParameter foo_param = 150; bool flag = 151; }");
  EXPECT_EQ(text_of(*prepare(relu("foo_param { mode: -1 inner { b: t } } extra: 3 more: 0x10 "))), "ReLU");
  EXPECT_EQ(log_, "");
  EXPECT_THAT(failure_of(relu("foo_param { mode: HIGH }")),
              HasSubstr("field 'mode': expected one of LOW, MAX"));
}

TEST_F(CaffeForms, MistakesInSchemas) {
  const std::pair<const char*, const char*> rows[] = {
      {"message A { optional group G = 1 { } }", "a group is not supported in a schema of Caffe"},
      {"message A { map<string, int32> m = 1; }", "a map is not supported in a schema of Caffe"},
      {"import 'other.proto';", "cannot read the imported file 'other.proto' beside this one"},
      {"import other;", "expected the name of a file in quotes"},
      {"extend Nobody { optional int32 a = 1; }", "there is no message 'Nobody' before this"},
      {"record A { }", "expected message, enum, extend, import, option or package, found 'record'"},
      {"option x = 1", "the file ends inside a statement"},
      {"message A { optional Nobody n = 1; }", "Nobody"},
  };
  for (const auto& [more, expected] : rows) {
    schema(more);
    EXPECT_THAT(failure_of(relu()), HasSubstr(expected)) << more;
  }
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "message A { ";
  schema(deep);
  EXPECT_THAT(failure_of(relu()), HasSubstr("deep"));
  options_["caffe_proto"] = write("fork.proto", "message NetParameter { }");
  EXPECT_THAT(failure_of(relu()), HasSubstr("has no message LayerParameter; it is not a schema of Caffe"));
}

TEST_F(CaffeForms, NumbersOfBlobsOneByOneAndInDoubles) {
  const std::string net =
      "input: 'x' input_dim: [1, 2, 1, 1]\n"
      "layer { name: 'fc' type: 'InnerProduct' bottom: 'x' top: 'fc' inner_product_param "
      "{ num_output: 1 bias_term: false } }";
  const double two[] = {3, -4};
  const std::string packed(reinterpret_cast<const char*>(two), sizeof two),
      dims = field(7, field(1, varint(1) + varint(2)));
  const std::string single = varint(5U << 3U | 5U), wide = varint(8U << 3U | 1U);
  for (const std::string& b :
       {dims + field(8, packed), dims + wide + packed.substr(0, 8) + wide + packed.substr(8),
        dims + single + raw({3}) + single + raw({-4})}) {
    const auto g = prepare(net, WeightsBuilder().layer("fc", {}, field(7, b)).bytes());
    const core::PortRef w = g->source({output(*g).node, 1});
    EXPECT_EQ(values_of(g->out(w).tensor.value), (std::vector<double>{3, -4}));
  }
  const auto failure = [&](const std::string& b) {
    return failure_of(net, WeightsBuilder().layer("fc", {}, field(7, b)).bytes());
  };
  EXPECT_THAT(failure(field(7, field(1, std::string(33, '\1'))) + field(5, raw({1}))),
              HasSubstr("it has more than 32 dimensions"));
  EXPECT_THAT(failure(dims + field(8, packed.substr(0, 15))), HasSubstr("fc"));
}

TEST_F(CaffeForms, OldLayersShareWeightsAndMayHaveAnyType) {
  const auto g = prepare(std::string(input) + R"(
    layers { name: "a" type: INNER_PRODUCT bottom: "x" top: "a" param: "w" blob_share_mode: PERMISSIVE
             inner_product_param { num_output: 1 bias_term: false } }
    layers { name: "b" type: INNER_PRODUCT bottom: "x" top: "b" param: "w" inner_product_param { num_output: 1 bias_term: false } })",
                         WeightsBuilder().layer("a", {{{1, 24}, std::vector<float>(24, 0.5F)}}).bytes());
  EXPECT_EQ(count(*g, "MatMul"), 2U);
  EXPECT_THAT(
      failure_of(std::string(input) + "layers { layer { name: 'n' type: 'nobody' } bottom: 'x' top: 'y' }"),
      HasSubstr("layer 'n' has the type 'nobody', which is none of the oldest form of Caffe's layers"));
}

}  // namespace
}  // namespace mo::test
