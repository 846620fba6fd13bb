#include "tests/plugins/builtin_passes/passes_lab.hpp"

namespace mo::test {
namespace {

using testing::HasSubstr;

const std::vector<std::string> to_types = {"back.convert_float_types"};

constexpr std::string_view typed_net = R"(
  %x = Parameter@opset1 "x" {element_type=f32, shape=shape[1,2]} -> f32[1,2] names("x")
  %i = Parameter@opset1 "i" {element_type=i64, shape=shape[2]} -> i64[2] names("i")
  %w = Const@opset1 "w" -> f32[2] {1.5,2.0005}
  %d = Const@opset1 "d" -> f64[2] {0.25,0.5}
  %n = Const@opset1 "n" -> i64[2] {1,2}
  %c = Convert@opset1 "c" (%i) {destination_type=f32}
  %e = Convert@opset1 "e" (%d) {destination_type=f32}
  %a = Add@opset1 "a" (%x, %w)
  %b = Add@opset1 "b" (%a, %c)
  %y = Add@opset1 "y" (%b, %e) -> _ names("y")
  %z = Add@opset1 "z" (%i, %n) -> _ names("z")
  Result@opset1 "r" (%y)
  Result@opset1 "r2" (%z)
)";

TEST(ConvertFloatTypes, TurnsFloatsToHalf) {
  for (const char* word : {"FP16", "half"}) {
    PassesLab lab;
    lab.session.set_option("data_type", std::string(word));
    const auto g = lab.graph(typed_net);
    lab.run(*g, to_types);
    EXPECT_EQ(PassesLab::type_of(*g, "x"), "f16");
    EXPECT_EQ(PassesLab::type_of(*g, "w"), "f16");
    EXPECT_EQ(PassesLab::type_of(*g, "c"), "f16");
    EXPECT_EQ(PassesLab::type_of(*g, "y"), "f16");
    EXPECT_EQ(PassesLab::type_of(*g, "i"), "i64");
    EXPECT_EQ(PassesLab::type_of(*g, "n"), "i64");
    EXPECT_EQ(std::get<ElementType>(*g->attribute(g->find("x"), "element_type")), ElementType::f16);
    const auto* bits = reinterpret_cast<const uint16_t*>(g->out({g->find("w"), 0}).tensor.value->data());
    EXPECT_EQ(bits[0], 0x3e00);
    EXPECT_EQ(bits[1], 0x4000);  // the nearest to 2.0005
    EXPECT_EQ(lab.computed(*g, "x->[1 2],i->[3 4]"), (std::vector<double>{5.75, 8.5}));
    EXPECT_EQ(lab.warnings, "");
  }
}

TEST(ConvertFloatTypes, OrToSingle) {
  PassesLab lab;
  lab.session.set_option("data_type", std::string("FP32"));
  const auto g = lab.graph(R"(
    %x = Parameter@opset1 "x" {element_type=f16, shape=shape[1]} -> f16[1] names("x")
    %w = Const@opset1 "w" -> f16[1] {0.1}
    %y = Multiply@opset1 "y" (%x, %w) -> _ names("y")
    Result@opset1 "r" (%y)
  )");
  lab.run(*g, to_types);
  EXPECT_EQ(PassesLab::type_of(*g, "y"), "f32");
  EXPECT_EQ(lab.computed(*g, "x->[2]"), (std::vector<double>{0.199951171875}));  // what 0.1 is in f16, twice
}

TEST(ConvertFloatTypes, WithoutTheOptionNothingChanges) {
  PassesLab lab;
  const auto g = lab.graph(typed_net);
  const std::string before = app::to_text(*g);
  lab.session.set_option("scale", 1.0);
  core::run_transformation(lab.session, *g, *lab.session.registry().transformation(to_types[0]));
  EXPECT_EQ(app::to_text(*g), before);
}

TEST(ConvertFloatTypes, RunningTwiceIsRunningOnce) {
  PassesLab lab;
  lab.session.set_option("data_type", std::string("FP16"));
  const auto g = lab.graph(typed_net);
  lab.run(*g, to_types);
  const std::string once = app::to_text(*g);
  lab.run(*g, to_types);
  EXPECT_EQ(app::to_text(*g), once);
}

// A size of 2049 has no f16 of its own.
constexpr std::string_view resize = R"(
  %x = Parameter@opset1 "x" {element_type=f32, shape=shape[?]} -> f32[?] names("x")
  %s = ShapeOf@opset3 "s" (%x) {output_type=i64}
  %f = Convert@opset1 "f" (%s) {destination_type=f32}
  %k = Const@opset1 "k" -> f32[1] {1.0}
  %m = Multiply@opset1 "m" (%f, %k)
  %t = Convert@opset1 "t" (%m) {destination_type=i64}
  %v = Reshape@opset1 "v" (%x, %t) {special_zero=false}
  %u = Multiply@opset1 "u" (%v, %m)
  %y = Multiply@opset1 "y" (%u, %k) -> _ names("y")
  Result@opset1 "r" (%y)
)";

TEST(ConvertFloatTypes, ShapesKeepTheirDigits) {
  PassesLab lab;
  lab.session.set_option("data_type", std::string("FP16"));
  const auto g = lab.graph(resize);
  lab.run(*g, to_types);
  for (const char* node : {"f", "m", "k"}) EXPECT_EQ(PassesLab::type_of(*g, node), "f32") << node;
  EXPECT_EQ(PassesLab::type_of(*g, "y"), "f16");
  // Data that reads them gets halves: a Convert behind what is computed, a second constant beside the first.
  EXPECT_EQ(g->name(g->source({g->find("u"), 1}).node), "m/f16");
  EXPECT_EQ(g->name(g->source({g->find("y"), 1}).node), "k/f16");
  EXPECT_EQ(PassesLab::type_of(*g, "k/f16"), "f16");
  core::check_schema(lab.session, *g);
}

TEST(ConvertFloatTypes, WhatDependsOnDataIsNoShapeArithmetic) {
  PassesLab lab;
  lab.session.set_option("data_type", std::string("FP16"));
  const auto g = lab.graph(R"(
    %x = Parameter@opset1 "x" {element_type=f32, shape=shape[1]} -> f32[1] names("x")
    %k = Const@opset1 "k" -> f32[1] {2}
    %m = Multiply@opset1 "m" (%x, %k)
    %t = Convert@opset1 "t" (%m) {destination_type=i64}
    %y = Reshape@opset1 "y" (%m, %t) {special_zero=false} -> _ names("y")
    Result@opset1 "r" (%y)
  )");
  lab.run(*g, to_types);
  for (const char* node : {"x", "k", "m", "y"}) EXPECT_EQ(PassesLab::type_of(*g, node), "f16") << node;
}

TEST(ConvertFloatTypes, ATypeThatTheUserChoseStays) {
  PassesLab lab;
  lab.session.set_option("data_type", std::string("FP16"));
  const auto g = lab.graph(typed_net);
  core::cut_inputs(*g, app::parse_inputs("x{f32},i"), false);
  lab.run(*g, to_types);
  EXPECT_EQ(PassesLab::type_of(*g, "x"), "f32");
  EXPECT_EQ(g->name(g->source({g->find("a"), 0}).node), "x/f16");
  EXPECT_EQ(PassesLab::type_of(*g, "y"), "f16");
}

TEST(ConvertFloatTypes, BodiesAreConverted) {
  PassesLab lab;
  lab.session.set_option("data_type", std::string("FP16"));
  const auto g = lab.graph(R"(
    %x = Parameter@opset1 "x" {element_type=f32, shape=shape[2]} -> f32[2] names("x")
    %c = Parameter@opset1 "c" {element_type=boolean, shape=shape[]} -> boolean[] names("c")
    %y = Branch@acme "y" (%c, %x) {
      then_body=graph "then" {
        %p = Parameter@opset1 "p" {element_type=f32, shape=shape[2]} -> f32[2]
        %k = Const@opset1 "k" -> f32[2] {1,2}
        %s = Add@opset1 "s" (%p, %k)
        Result@opset1 "tr" (%s)
      },
      else_body=graph "else" {
        %p = Parameter@opset1 "p" {element_type=f32, shape=shape[2]} -> f32[2]
        %s = ReLU@opset1 "s" (%p)
        Result@opset1 "er" (%s)
      }} -> _ names("y")
    Result@opset1 "r" (%y)
  )");
  lab.run(*g, to_types);
  ASSERT_EQ(g->bodies(g->find("y")).size(), 2U);
  for (const core::GraphPtr& body : g->bodies(g->find("y"))) {
    EXPECT_EQ(PassesLab::type_of(*body, "p"), "f16");
    EXPECT_EQ(PassesLab::type_of(*body, "s"), "f16");
  }
}

TEST(ConvertFloatTypes, ConstantsOfTheSameBytesStayShared) {
  PassesLab lab;
  lab.session.set_option("data_type", std::string("FP16"));
  const auto g = lab.graph(typed_net);
  const core::TensorRef shared = g->out({g->find("w"), 0}).tensor.value;
  const core::NodeId more = g->add_const("more", core::view_tensor(shared, 0, ElementType::f32, {1, 2}));
  g->connect({more, 0}, {g->find("a"), 1});
  g->connect({g->find("w"), 0}, {g->find("b"), 1});
  core::infer_all(lab.session, *g);
  lab.run(*g, to_types);
  EXPECT_EQ(g->out({more, 0}).tensor.value->data(), g->out({g->find("w"), 0}).tensor.value->data());
  EXPECT_EQ(text(g->out({more, 0}).tensor.shape), "[1,2]");
}

TEST(ConvertFloatTypes, LossesAreSaidOnce) {
  PassesLab lab;
  lab.session.set_option("data_type", std::string("FP16"));
  const auto g = lab.graph(R"(
    %x = Parameter@opset1 "x" {element_type=f32, shape=shape[3]} -> f32[3] names("x")
    %v = Const@opset1 "v" -> f32[3] {1e-9,1,-70000}
    %w = Const@opset1 "w" -> f32[3] {0,1e9,-1e9}
    %a = Add@opset1 "a" (%x, %v)
    %y = Add@opset1 "y" (%a, %w) -> _ names("y")
    Result@opset1 "r" (%y)
  )");
  lab.run(*g, to_types);
  EXPECT_EQ(
      lab.warnings,
      "--data_type: 3 of 6 numbers in constants are too large for f16 and become infinite, most of them in "
      "'v'\n"
      "--data_type: 1 of 6 numbers in constants are too small for f16 and become 0, most of them in 'v'\n");
}

}  // namespace
}  // namespace mo::test
