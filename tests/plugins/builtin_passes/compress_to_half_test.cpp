#include "tests/plugins/builtin_passes/passes_lab.hpp"

namespace mo::test {
namespace {

using testing::HasSubstr;

const std::vector<std::string> to_half = {"back.compress_to_half"};

std::string weighted(const std::string& first, const std::string& second) {
  return R"(
    %x = Parameter@opset1 "x" {element_type=f32, shape=shape[1,64]} -> f32[1,64] names("x")
    %v = Const@opset1 "v" -> f32[64] {)" +
         first + R"(...}
    %w = Const@opset1 "w" -> f32[2,64] {1e6,1e-9,-1e6,)" +
         second + R"(}
    %s = Multiply@opset1 "s" (%x, %v)
    %y = MatMul@opset1 "y" (%s, %w) {transpose_a=false, transpose_b=true}
    Result@opset1 "r" (%y)
  )";
}

// `count` numbers.
std::string many(const std::string& number, size_t count) {
  std::string all = number;
  for (size_t i = 1; i < count; ++i) all += "," + number;
  return all;
}

TEST(CompressToHalf, WhatIsLostIsCountedAndWhatIsTooLargeIsTheLargest) {
  PassesLab lab;
  lab.session.set_option("compress_to_fp16", true);
  const auto g = lab.graph(weighted("0.5", many("0.1", 125)));
  lab.run(*g, to_half);
  // What carries the names is what computes with f32.
  for (const char* name : {"v", "w"}) {
    EXPECT_EQ(g->op(g->find(name)), "Convert");
    EXPECT_EQ(PassesLab::type_of(*g, name), "f32");
    EXPECT_EQ(PassesLab::type_of(*g, std::string(name) + "/compressed"), "f16");
    EXPECT_NE(g->node(g->find(name)).rt_info.find(g->symbols().find("decompression")), nullptr);
  }
  EXPECT_EQ(PassesLab::type_of(*g, "y"), "f32");
  const auto* half =
      reinterpret_cast<const uint16_t*>(g->out({g->find("w/compressed"), 0}).tensor.value->data());
  EXPECT_EQ(half[0], 0x7bff);
  EXPECT_EQ(half[1], 0);
  EXPECT_EQ(half[2], 0xfbff);
  EXPECT_EQ(half[3], 0x2e66);
  EXPECT_EQ(lab.warnings,
            "--compress_to_fp16: 2 of 192 numbers in constants are too large for f16 and become the largest "
            "there are, most of them in 'w'\n"
            "--compress_to_fp16: 1 of 192 numbers in constants are too small for f16 and become 0, most of "
            "them in 'w'\n");
}

TEST(CompressToHalf, ConstantsThatItCannotHoldStayAndAreNotCounted) {
  PassesLab lab;
  lab.session.set_option("compress_to_fp16", true);
  const auto g = lab.graph(weighted("0.5", many("1e7", 125)));
  lab.run(*g, to_half);
  EXPECT_EQ(g->op(g->find("w")), "Const");
  EXPECT_EQ(PassesLab::type_of(*g, "w"), "f32");
  EXPECT_EQ(lab.warnings, "");
}

TEST(CompressToHalf, OnlyWhenAsked) {
  PassesLab lab;
  const auto g = lab.graph(weighted("0.5", many("0.1", 125)));
  const std::string before = app::to_text(*g);
  lab.run(*g, to_half);
  EXPECT_EQ(app::to_text(*g), before);
}

TEST(CompressToHalf, LimitsOfQuantizationStay) {
  PassesLab lab;
  lab.session.set_option("compress_to_fp16", true);
  const auto g = lab.graph(R"(
    %x = Parameter@opset1 "x" {element_type=f32, shape=shape[1,64]} -> f32[1,64] names("x")
    %a = Const@opset1 "a" -> f32[1,64] {-0.1...}
    %b = Const@opset1 "b" -> f32[1,64] {0.1...}
    %y = FakeQuantize@opset1 "y" (%x, %a, %b, %a, %b) {levels=256} -> _ names("y")
    Result@opset1 "r" (%y)
  )");
  const std::string before = app::to_text(*g);
  lab.run(*g, to_half);
  EXPECT_EQ(app::to_text(*g), before);
}

}  // namespace
}  // namespace mo::test
