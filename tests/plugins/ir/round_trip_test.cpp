// What was written, read and written again is the same bytes.
#include "tests/plugins/ir/ir_lab.hpp"

namespace mo::test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(IrRoundTrip, AttributesOfEveryKind) {
  const IrLab lab;
  lab.write(R"(
    %x = Parameter@opset1 "x" {element_type=f32, shape=shape[1,3,8,8]} -> f32[1,3,8,8]
    %w = Const@opset1 "w" -> f32[2,3,1,1] {1,2,3,4,5,6}
    %c = Convolution@opset1 "c" (%x, %w) {strides=[1,2], pads_begin=[0,0], pads_end=[0,0], dilations=[1,1],
      auto_pad="same_upper"} -> _
    %e = Elu@opset1 "e" (%c) {alpha=0.10000000149011612} -> _
    %a = Const@opset1 "a" -> i64[1] {1}
    %m = MVN@opset6 "m" (%e, %a) {normalize_variance=true, eps=1e-9, eps_mode="inside_sqrt"} -> _
    %t = Convert@opset1 "t" (%m) {destination_type=f16} -> _ names("out, with a comma", "second")
    Result@opset1 "r" (%t))");
  lab.expect_same_again();
}

TEST(IrRoundTrip, OpenShapes) {
  const IrLab lab;
  lab.write(R"(
    %x = Parameter@opset1 "x" {element_type=f32, shape=shape[?,2..8,3..,..4]} -> f32[?,2..8,3..,..4]
    %u = Parameter@opset1 "u" {element_type=i32, shape=shape[...]} -> i32[...]
    %s = Parameter@opset1 "s" {element_type=boolean, shape=shape[]} -> boolean[]
    %y = ReLU@opset1 "y" (%x) -> _
    %z = Abs@opset1 "z" (%u) -> _
    %n = LogicalNot@opset1 "n" (%s) -> _
    Result@opset1 "r" (%y)
    Result@opset1 "q" (%z)
    Result@opset1 "p" (%n))");
  lab.expect_same_again();
}

TEST(IrRoundTrip, ConstantsOfEveryType) {
  const IrLab lab;
  lab.write(R"(
    %a = Const@opset1 "a" -> f64[2] {0.5,-1}
    %b = Const@opset1 "b" -> boolean[2] {true,false}
    %c = Const@opset1 "c" -> u64[1] {18446744073709551615}
    %d = Const@opset1 "d" -> bf16[] {2}
    %e = Const@opset1 "e" -> i16[0] {}
    %f = Const@opset1 "f" -> f64[2] {0.5,-1}
    Result@opset1 "ra" (%a)
    Result@opset1 "rb" (%b)
    Result@opset1 "rc" (%c)
    Result@opset1 "rd" (%d)
    Result@opset1 "re" (%e)
    Result@opset1 "rf" (%f))");
  lab.expect_same_again();
}

TEST(IrRoundTrip, PackedWeightsStayPacked) {
  const IrLab lab;
  lab.write(R"(
    %x = Parameter@opset1 "x" {element_type=f32, shape=shape[1,4]} -> f32[1,4]
    %q = Const@opset1 "q" -> u4[4,2] hex "214365f7"
    %w = Convert@opset1 "w" (%q) {destination_type=f32, stop_value_propagation=true} -> _
    %s = Const@opset1 "s" -> f32[] {0.5}
    %d = Multiply@opset1 "d" (%w, %s) -> _
    %m = MatMul@opset1 "m" (%x, %d) -> _
    Result@opset1 "r" (%m))");
  EXPECT_THAT(lab.xml(), HasSubstr("type=\"Convert\""));
  EXPECT_THAT(lab.xml(), Not(HasSubstr("stop_value_propagation")));
  lab.expect_same_again();
}

TEST(IrRoundTrip, Version10) {
  const IrLab lab;
  lab.write(R"(
    %x = Parameter@opset1 "x" {element_type=f32, shape=shape[2,3]} -> f32[2,3]
    %y = ReLU@opset1 "y" (%x) -> _
    Result@opset1 "r" (%y))",
            10);
  EXPECT_THAT(lab.xml(), HasSubstr("<cli_parameters>"));
  lab.expect_same_again();
}

TEST(IrRoundTrip, RtInfo) {
  const IrLab lab;
  lab.write(R"(
    %x = Parameter@opset1 "x" {element_type=f32, shape=shape[1,2,3,4]} rt {layout="[N,C,H,W]"} -> f32[1,2,3,4]
    %y = ReLU@opset1 "y" (%x) rt {fused_names="a,b", decompression=true} -> _
    Result@opset1 "r" (%y) rt {layout="[N,C,H,W]"})");
  EXPECT_THAT(lab.xml(), HasSubstr("fused_names"));
  EXPECT_THAT(lab.xml(), HasSubstr("[N,C,H,W]"));
  lab.expect_same_again();
}

TEST(IrRoundTrip, Bodies) {
  const IrLab lab;
  lab.write(R"(
    %x = Parameter@opset1 "x" {element_type=f32, shape=shape[4,1,2]} -> f32[4,1,2]
    %h = Const@opset1 "h" -> f32[1,2] {0,0}
    %l = TensorIterator@opset1 "l" (%x, %h) {
      port_map=["in 0 -> 0 axis=0","in 1 -> 1","out 0 <- 0 axis=0 start=-1 end=0 stride=-1","out 1 <- 1"],
      back_edges=[1,1],
      body=graph {
        %xi = Parameter@opset1 "xi" {element_type=f32, shape=shape[1,1,2]} -> f32[1,1,2]
        %hi = Parameter@opset1 "hi" {element_type=f32, shape=shape[1,2]} -> f32[1,2]
        %a = Const@opset1 "a" -> i64[1] {0}
        %q = Squeeze@opset1 "q" (%xi, %a) -> _
        %y = Add@opset1 "y" (%q, %hi) -> _
        %u = Unsqueeze@opset1 "u" (%y, %a) -> _
        Result@opset1 "o1" (%u)
        Result@opset1 "o2" (%y)
      }} -> (_, _)
    Result@opset1 "r" (%l)
    Result@opset1 "q" (%l:1))");
  EXPECT_THAT(lab.xml(), HasSubstr("<back_edges>"));
  lab.expect_same_again();
}

TEST(IrRoundTrip, ChoiceOfBodies) {
  const IrLab lab;
  lab.write(R"(
    %c = Parameter@opset1 "c" {element_type=boolean, shape=shape[]} -> boolean[]
    %x = Parameter@opset1 "x" {element_type=f32, shape=shape[2]} -> f32[2]
    %i = If@opset8 "i" (%c, %x) {then_port_map=["in 1 -> 0","out 0 <- 0"], else_port_map=["in 1 -> 0","out 0 <- 0"],
      then_body=graph { %a = Parameter@opset1 "a" {element_type=f32, shape=shape[2]} -> f32[2]
        %b = Abs@opset1 "b" (%a) -> _
        Result@opset1 "r" (%b) },
      else_body=graph { %a = Parameter@opset1 "a" {element_type=f32, shape=shape[2]} -> f32[2]
        Result@opset1 "r" (%a) }} -> _
    Result@opset1 "r" (%i))");
  EXPECT_THAT(lab.xml(), HasSubstr("<else_body>"));
  lab.expect_same_again();
}

}  // namespace
}  // namespace mo::test
