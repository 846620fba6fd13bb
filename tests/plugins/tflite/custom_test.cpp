// Custom operators: a vendor's extractor takes them by their name and reads their options.
#include <flatbuffers/flexbuffers.h>

#include <mo/sdk.hpp>

#include "tests/support/test_plugin.hpp"
#include "tflite_fixture.hpp"

namespace mo::test {
namespace {

using testing::ElementsAre;

LiteFile custom(const std::string& name, const std::string& options) {
  LiteFile file;
  LiteGraph& g = file.main();
  const int32_t x = g.input({.name = "x", .dims = {2}}), y = g.output({.name = "y", .dims = {2}});
  g.operators.push_back(
      {.code = lite::custom, .inputs = {x}, .outputs = {y}, .custom = name, .custom_options = options});
  return file;
}

template <class F>
std::string flexible(F fill) {
  flexbuffers::Builder b;
  b.Map([&] { fill(b); });
  b.Finish();
  return {b.GetBuffer().begin(), b.GetBuffer().end()};
}

void extract_scale(SourceNode& n) {
  n.set_op("Gain", "com.acme");
  n.set("gain", n.native<double>("factor") * static_cast<double>(n.native<int64_t>("count")));
  n.set("mode", n.native("strict", false) ? n.native<std::string>("mode") : std::string());
  n.set("range", n.native<std::vector<double>>("sizes"));
}
struct Gain {
  static constexpr std::string_view type = "Gain", opset = "com.acme";
  static void schema(OpSchema& s) {
    s.doc("x times a number").inputs(1).outputs(1).attr<double>("gain").attr<std::string>("mode");
    s.attr<std::vector<double>>("range");
  }
  static void infer(InferContext& c) { c.output(0, c.type(0), c.shape(0)); }
};
void register_scale(Registry& r) {
  r.operation<Gain>();
  r.extractor<extract_scale>({"tflite", "", "AcmeScale"});
}

class TfliteCustom : public Tflite {
 protected:
  TfliteCustom() {
    plugin_ = [](core::Session& s) { load_test_plugin<register_scale>(s); };
  }
};

TEST_F(TfliteCustom, OptionsAreTheKeysOfTheMap) {
  const auto g = prepare(custom("AcmeScale", flexible([](flexbuffers::Builder& b) {
                                  b.Int("count", 3);
                                  b.Double("factor", 0.5);
                                  b.Bool("strict", true);
                                  b.String("mode", "fast");
                                  b.TypedVector("sizes", [&] {
                                    b.Int(4);
                                    b.Int(5);
                                  });
                                })));
  EXPECT_EQ(attribute<double>(*g, node(*g, "y"), "gain"), 1.5);
  EXPECT_EQ(attribute<std::string>(*g, node(*g, "y"), "mode"), "fast");
  EXPECT_THAT(attribute<std::vector<double>>(*g, node(*g, "y"), "range"), ElementsAre(4, 5));
}

TEST_F(TfliteCustom, OptionsMayLieBehindTheFlatBuffer) {
  const std::string options = flexible([](flexbuffers::Builder& b) {
    b.Int("count", 2);
    b.Double("factor", 4);
    b.TypedVector("sizes", [&] { b.Int(1); });
  });
  LiteFile file = custom("AcmeScale", "");
  file.main().operators[0].outside_options = {4096, options.size()};
  std::string bytes = file.bytes();
  bytes.resize(4096);
  const auto g = prepare(folder_.write("model.tflite", bytes + options));
  EXPECT_EQ(attribute<double>(*g, node(*g, "y"), "gain"), 8);
  EXPECT_THAT(failure_of_bytes(bytes, core::Stage::final),
              HasSubstr("not all of the custom options is in the file: "));
}

TEST_F(TfliteCustom, OptionsThatAreNoMapHaveNoKeys) {
  EXPECT_THAT(failure_of(custom("AcmeScale", "some bytes")),
              HasSubstr("required attribute 'factor' is missing"));
}

TEST_F(TfliteCustom, OperatorsThatNobodyKnowsAreNamed) {
  EXPECT_THAT(failure_of(custom("AcmeTwist", "")), HasSubstr("missing AcmeTwist, version 1: 1 node, 'y'"));
}

}  // namespace
}  // namespace mo::test
