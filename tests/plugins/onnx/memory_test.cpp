// Models in memory, places of nodes, and extractors of what the loader makes constants of.
#include "looking_extractors.hpp"
#include "onnx_fixture.hpp"

namespace mo::test {
namespace {

using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;

class OnnxMemory : public Onnx {
 protected:
  std::filesystem::path with_external_data() {
    const float numbers[] = {7, 1, 2};
    folder_.write("data/w.bin", std::string_view(reinterpret_cast<const char*>(numbers), sizeof numbers));
    ModelBuilder m;
    m.initializer("w", OnnxTensor::in_file(OnnxType::float32, {2}, "data/w.bin", 4, 8));
    m.input("x", OnnxType::float32, {2});
    m.output(m.op("Add", {"x", "w"}));
    m.write(folder_ / "model.onnx");
    return folder_ / "model.onnx";
  }
};

TEST_F(OnnxMemory, WithItsExternalData) {
  expect_the_same_in_memory(with_external_data());
  convert_.framework.clear();
  EXPECT_EQ(count(*prepare_in_memory(folder_ / "model.onnx"), "Add"), 1U);
}

TEST_F(OnnxMemory, APartThatIsMissingIsNoFile) {
  EXPECT_THAT(failure_without(with_external_data(), "data/w.bin"),
              HasSubstr("the model is in memory and has no part 'data/w.bin'"));
}

TEST_F(OnnxMemory, ErrorsSayWhereTheNodeStands) {
  ModelBuilder m;
  m.input("x", OnnxType::float32, {2});
  m.input("y", OnnxType::float32, {3});
  m.output(m.op("Add", {"x", "y"}));
  EXPECT_THAT(located_failure_of(folder_.write("model.onnx", m.bytes())),
              ContainsRegex("place +[^ ]*model.onnx, byte [0-9]+"));
}

void look_at_constants(Registry& r) { add_looking(r, "onnx", {"Constant", "Add"}); }

TEST_F(OnnxMemory, ExtractorsOfConstantsAreAsked) {
  plugin_ = [](core::Session& s) { load_test_plugin<look_at_constants>(s); };
  ModelBuilder m;
  m.input("x", OnnxType::float32, {2});
  m.output(m.op("Add", {"x", m.op("Constant", {}, {{"value", floats({2}, {1, 2})}})}));
  prepare(m);
  EXPECT_THAT(asked_for, ElementsAre("Add", "Constant"));
}

}  // namespace
}  // namespace mo::test
