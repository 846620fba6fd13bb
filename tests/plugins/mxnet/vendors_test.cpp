// Custom operators, with the plugin of plugin_api/examples/mxnet_custom inside of the test.
#include "mxnet_fixture.hpp"
#include "plugin_api/examples/mxnet_custom/mxnet_custom.hpp"
#include "tests/support/test_plugin.hpp"

namespace mo::test {

using testing::ElementsAre;
using testing::HasSubstr;

namespace {

constexpr const char* example = MO_SOURCE_DIR "/plugin_api/examples/mxnet_custom/acme_custom-symbol.json";

class MxnetVendors : public Mxnet {
 protected:
  MxnetVendors() {
    plugin_ = [](core::Session& s) { load_test_plugin<acme::register_mxnet_custom>(s); };
  }
};

TEST_F(MxnetVendors, AnOpTypeIsAnOperatorOfTheDomainCustom) {
  const auto g = ConversionTest::prepare(example);
  EXPECT_EQ(type(*g, "scaled"), "ReLU@opset1");
  EXPECT_EQ(type(*g, "kept"), "KeepChannel@com.acme");
  EXPECT_EQ(attribute<int64_t>(*g, node(*g, "kept"), "channel"), 2);
  EXPECT_EQ(attribute<std::vector<double>>(*g, node(*g, "kept"), "others"), (std::vector<double>{0.5, 1}));
  EXPECT_EQ(shape(*g), (Shape{1, 3, 2, 2}));
}

TEST_F(MxnetVendors, ValuesAndDefaults) {
  const ArrayBytes x{"", {4}, {-1, 0, 1, 2}};
  // max(x * 1.5 - 0.25, 0), and max(x * 2, 0)
  const auto stated =
      convert("Custom", "'op_type': 'scale_shift_relu', 'scale': '1.5', 'shift': '-0.25'", {x});
  EXPECT_THAT(values(*stated), ElementsAre(0, 0, 1.25, 2.75));
  const auto defaults = convert("Custom", "'op_type': 'scale_shift_relu'", {x});
  EXPECT_THAT(values(*defaults), ElementsAre(0, 0, 2, 4));
}

// Each operator is a transformation of its own.
TEST_F(MxnetVendors, AnOperatorIsSwitchedOff) {
  convert_.disabled = {"mxnet.front.flatten"};
  const std::string symbol = symbol_of(variable("x", R"j({"__shape__": "(1, 2, 2)"})j") +
                                           R"j(, {"op": "Dropout", "name": "dropped", "inputs": [[0, 0]]},
                        {"op": "Flatten", "name": "flat", "inputs": [[1, 0]]})j",
                                       "[2, 0]");
  const std::string failure = failure_of(symbol);
  EXPECT_THAT(failure, HasSubstr("Flatten, version 1: 1 node, 'flat'"));
  EXPECT_THAT(failure, testing::Not(HasSubstr("Dropout")));
}

mo::Ports doubled(mo::Build& b, const mo::SourceNode&) {
  return {b.op("Multiply", "opset1", {b.in(0), b.like(b.in(0), 2)})};
}
struct OtherSquare : mo::ReplaceOperator<doubled> {
  OtherSquare() : ReplaceOperator({"mxnet", "square", "square(x)", "Multiply(x, 2)"}) {
    id = "acme.front.square";
    run_before = {"mxnet.front.square"};
  }
};
void register_other_square(mo::Registry& r) { r.transformation<OtherSquare>(); }

TEST_F(MxnetVendors, AnOperatorIsConvertedInAnotherWay) {
  const ArrayBytes x{"", {2}, {3, 4}};
  EXPECT_THAT(values(*convert("square", "", {x})), ElementsAre(9, 16));
  plugin_ = [](core::Session& s) { load_test_plugin<register_other_square>(s); };
  EXPECT_THAT(values(*convert("square", "", {x})), ElementsAre(6, 8));
}

TEST_F(MxnetVendors, WithoutThemTheNetworkIsRefused) {
  plugin_ = nullptr;
  const std::string failure = ConversionTest::failure_of(example);
  EXPECT_THAT(failure, HasSubstr("scale_shift_relu of domain 'Custom'"));
  EXPECT_THAT(failure, HasSubstr("keep_channel of domain 'Custom'"));
}

}  // namespace

}  // namespace mo::test
