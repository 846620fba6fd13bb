// Networks in memory, places of layers, and extractors of inputs.
#include "caffe_fixture.hpp"
#include "looking_extractors.hpp"

namespace mo::test {
namespace {

using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view scaled = R"(layer { name: "data" type: "Input" top: "data"
  input_param { shape { dim: [1, 2, 3, 4] } } }
layer {
  name: "s" type: "Scale" bottom: "data" top: "s" })";

class CaffeMemory : public Caffe {
 protected:
  std::filesystem::path with_weights() {
    write("net.prototxt", scaled);
    return write("net.caffemodel", WeightsBuilder().layer("s", {{{2}, {3, 4}}}).bytes());
  }
};

TEST_F(CaffeMemory, ItsTextIsFoundBesideTheWeights) {
  expect_the_same_in_memory(with_weights());
  options_["input_proto"] = std::string("net.prototxt");
  EXPECT_EQ(count(*prepare_in_memory(folder_ / "net.caffemodel"), "Multiply"), 1U);
}

TEST_F(CaffeMemory, ATextThatIsMissingIsNoFile) {
  EXPECT_THAT(failure_without(with_weights(), "net.prototxt"), HasSubstr("there is no 'net.prototxt'"));
}

TEST_F(CaffeMemory, ErrorsSayInWhichLineTheLayerStands) {
  EXPECT_THAT(located_failure_of(write("net.prototxt", std::string(scaled) + R"(
layer { name: "other" type: "Input" top: "other" input_param { shape { dim: [5, 6] } } }
layer { name: "bad" type: "Reshape" bottom: "s" top: "r" reshape_param { shape { dim: 7 } } }
layer { name: "sum" type: "InnerProduct" bottom: "r" bottom: "other" top: "sum" })")),
              ContainsRegex("place +[^ ]*net.prototxt:[0-9]+"));
}

void look_at_inputs(Registry& r) { add_looking(r, "caffe", {"Input", "Scale"}); }

TEST_F(CaffeMemory, ExtractorsOfInputsAreAsked) {
  plugin_ = [](core::Session& s) { load_test_plugin<look_at_inputs>(s); };
  ConversionTest::prepare(with_weights());
  EXPECT_THAT(asked_for, ElementsAre("Input", "Scale"));
}

TEST_F(CaffeMemory, PhasesAreTwo) {
  options_["caffe_phase"] = std::string("TRIAN");
  const std::string failure = failure_of(scaled);
  EXPECT_THAT(failure, HasSubstr("MO0104: --caffe_phase is 'TRIAN'; expected TEST|TRAIN"));
  EXPECT_THAT(failure, HasSubstr("did you mean 'TRAIN'?"));
}

}  // namespace
}  // namespace mo::test
