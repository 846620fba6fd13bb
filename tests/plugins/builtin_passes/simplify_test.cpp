// Transformations that leave fewer operations.
#include "tests/plugins/builtin_passes/layout_lab.hpp"

namespace mo::test {
namespace {

const std::string image = R"(
  %x = Parameter@opset1 "x" {element_type=f32, shape=shape[1,2,2,3]} -> f32[1,2,2,3]
  %w = Const@opset1 "w" -> f32[4,2,1,1] {1,2,3,4,5,6,7,8}
  %four = Const@opset1 "four" -> f32[1,4,1,1] {1,-2,3,0.5}
  %other = Const@opset1 "other" -> f32[1,4,1,1] {2,0.25,-3,4}
  %two = Const@opset1 "two" -> f32[1,2,1,1] {0.5,-0.25}
  %half = Const@opset1 "half" -> f32[] {0.5}
  %minus = Const@opset1 "minus" -> f32[] {-1}
  %many = Const@opset1 "many" -> f32[1,1,2,3] {1,2,3,4,5,6}
)";

std::string after(const std::string& pass, const std::string& body, const std::string& head = image) {
  return formula_after(head + body + "\nResult@opset1 \"r\" (%y)\n", {pass});
}

TEST(FusePrelu, HoweverItIsWritten) {
  const auto fused = [](const std::string& body) { return after("middle.fuse_prelu", body); };
  const std::string relu = "%p = ReLU@opset1 (%x)\n";
  EXPECT_EQ(fused(relu + R"(
    %b = Abs@opset1 (%x)
    %s = Subtract@opset1 (%x, %b)
    %m = Multiply@opset1 (%two, %s)
    %h = Multiply@opset1 (%m, %half)
    %y = Add@opset1 (%p, %h)
  )"),
            "PReLU(x, [2])");
  EXPECT_EQ(fused(relu + R"(
    %n = Multiply@opset1 (%minus, %x)
    %q = ReLU@opset1 (%n)
    %m = Multiply@opset1 (%two, %q)
    %y = Subtract@opset1 (%p, %m)
  )"),
            "PReLU(x, [2])");
  EXPECT_EQ(fused("%m = Multiply@opset1 (%x, %half)\n%y = Maximum@opset1 (%x, %m)"), "PReLU(x, [1])");
  // Behind a sum, which is the x.
  EXPECT_EQ(
      fused("%a = Add@opset1 (%x, %two)\n%m = Multiply@opset1 (%a, %half)\n%y = Maximum@opset1 (%m, %a)"),
      "PReLU(Add(x, [1,2,1,1]), [1])");
}

TEST(FusePrelu, SomethingElseStays) {
  const auto fused = [](const std::string& body) { return after("middle.fuse_prelu", body); };
  EXPECT_EQ(fused("%y = Add@opset1 (%x, %x)"), "Add(x, x)");
  EXPECT_EQ(fused("%p = ReLU@opset1 (%x)\n%y = Add@opset1 (%p, %x)"), "Add(ReLU(x), x)");  // 2 x above 0
  EXPECT_EQ(fused("%m = Multiply@opset1 (%x, %many)\n%y = Maximum@opset1 (%x, %m)"),
            "Maximum(x, Multiply(x, [1,1,2,3]))");
  EXPECT_EQ(fused("%a = Add@opset1 (%x, %two)\n%y = Maximum@opset1 (%x, %a)"),
            "Maximum(x, Add(x, [1,2,1,1]))");
}

const std::string convolved_image =
    "%c = Convolution@opset1 \"c\" (%x, %w) {strides=[1,1], dilations=[1,1], pads_begin=[0,0], "
    "pads_end=[0,0], "
    "auto_pad=\"explicit\"}\n";

TEST(FuseLinear, IntoTheWeights) {
  const auto fused = [](const std::string& body, const std::string& head = image) {
    return after("middle.fuse_linear", body, head);
  };
  EXPECT_EQ(fused(convolved_image + "%a = Add@opset1 (%c, %four)\n%m = Multiply@opset1 (%a, %other)\n"
                                    "%y = Add@opset1 (%m, %half)"),
            "Add(Convolution(x, [4,2,1,1]), [1,4,1,1])");
  EXPECT_EQ(fused(convolved_image + "%y = Multiply@opset1 (%four, %c)"), "Convolution(x, [4,2,1,1])");
  EXPECT_EQ(fused(convolved_image + "%m = Multiply@opset1 (%c, %half)\n%y = Subtract@opset1 (%m, %four)"),
            "Add(Convolution(x, [4,2,1,1]), [1,4,1,1])");
  const std::string groups = R"(
    %g = Const@opset1 "g" -> f32[2,2,1,1,1] {1,2,3,4}
    %c = GroupConvolution@opset1 "c" (%x, %g) {strides=[1,1], dilations=[1,1], pads_begin=[0,0], pads_end=[0,0], auto_pad="explicit"}
    %y = Multiply@opset1 (%c, %four)
  )";
  EXPECT_EQ(fused(groups), "GroupConvolution(x, [2,2,1,1,1])");
  const std::string rows =
      "%x = Parameter@opset1 \"x\" {element_type=f32, shape=shape[3,2]} -> f32[3,2]\n"
      "%v = Const@opset1 \"v\" -> f32[2] {3,-1}\n"
      "%w = Const@opset1 \"w\" -> f32[2,2] {1,2,3,4}\n";
  for (const char* turned : {"false", "true"})
    EXPECT_EQ(fused("%m = MatMul@opset1 (%x, %w) {transpose_a=false, transpose_b=" + std::string(turned) +
                        "}\n%y = Multiply@opset1 (%m, %v)",
                    rows),
              "MatMul(x, [2,2])");
  // Without weights before them.
  EXPECT_EQ(fused("%a = Add@opset1 (%x, %two)\n%m = Multiply@opset1 (%a, %half)\n%y = Add@opset1 (%m, %two)"),
            "Add(Multiply(x, [1,1,1,1]), [1,2,1,1])");
}

TEST(FuseLinear, WhereNothingIsGainedItStays) {
  const auto fused = [](const std::string& body) { return after("middle.fuse_linear", body); };
  EXPECT_EQ(fused(convolved_image + "%y = Add@opset1 (%c, %four)"),
            "Add(Convolution(x, [4,2,1,1]), [1,4,1,1])");
  EXPECT_EQ(fused(convolved_image + "%y = Multiply@opset1 (%c, %many)"),
            "Multiply(Convolution(x, [4,2,1,1]), [1,1,2,3])");
  // The result of the convolution is read by something else, too.
  EXPECT_EQ(fused(convolved_image + "%m = Multiply@opset1 (%c, %four)\n%y = Add@opset1 (%m, %c)"),
            "Add(Multiply(Convolution(x, [4,2,1,1]), [1,4,1,1]), Convolution(x, [4,2,1,1]))");
  EXPECT_EQ(fused("%y = Subtract@opset1 (%half, %x)"), "Subtract([], x)");
}

TEST(FuseReshapes, TheLastOneDecides) {
  const auto fused = [](const std::string& body) { return after("middle.fuse_reshapes", body); };
  const std::string lists =
      "%a = Const@opset1 \"a\" -> i64[2] {2,6}\n%b = Const@opset1 \"b\" -> i64[3] {3,-1,2}\n"
      "%z = Const@opset1 \"z\" -> i64[2] {0,6}\n%s = Const@opset1 \"s\" -> i64[4] {1,2,2,3}\n";
  const auto reshape = [](const std::string& name, const std::string& x, const std::string& to) {
    return "%" + name + " = Reshape@opset1 (%" + x + ", %" + to + ") {special_zero=true}\n";
  };
  EXPECT_EQ(fused(lists + reshape("f", "x", "a") + reshape("y", "f", "b")), "Reshape(x, {3 -1 2})");
  EXPECT_EQ(fused(lists + reshape("f", "x", "s") + "%y = ReLU@opset1 (%f)"), "ReLU(x)");
  // 0 stands for a dimension of what was before it, which is known here.
  EXPECT_EQ(fused(lists + reshape("f", "x", "a") + reshape("y", "f", "z")), "Reshape(x, {2 6})");
  EXPECT_EQ(fused(lists + reshape("f", "x", "a") + reshape("g", "f", "b") + "%y = ReLU@opset1 (%g)\n" +
                  "Result@opset1 \"also\" (%f)"),
            "Reshape(x, {2 6}); ReLU(Reshape(Reshape(x, {2 6}), {3 -1 2}))");
  // One that changes nothing does not break the row.
  EXPECT_EQ(fused(lists + reshape("f", "x", "a") + reshape("g", "f", "a") + reshape("h", "g", "s") +
                  "%y = ReLU@opset1 (%h)"),
            "ReLU(x)");
}

TEST(KeepDimensions, OfTheSamePlace) {
  const auto target = [](const std::string& first, const std::string& second) {
    LayoutLab lab;
    const auto g = lab.graph(R"(
      %x = Parameter@opset1 "x" {element_type=f32, shape=shape[?,4,3]} -> f32[?,4,3]
      %s = ShapeOf@opset3 "s" (%x)
      %zero = Const@opset1 "zero" -> i64[] {0}
      %one = Const@opset1 "one" -> i64[1] {1}
      %begin = Const@opset1 "begin" -> i64[1] {0}
      %i1 = Const@opset1 "i1" -> i64[] {1}
      %rest = Const@opset1 "rest" -> i64[1] {-1}
      %twelve = Const@opset1 "twelve" -> i64[1] {12}
      %cut = StridedSlice@opset1 "cut" (%s, %begin, %one, %one) {begin_mask=[0], end_mask=[0], shrink_axis_mask=[1]}
      %dim0 = Unsqueeze@opset1 "dim0" (%cut, %zero)
      %g1 = Gather@opset1 "g1" (%s, %i1, %zero)
      %dim1 = Unsqueeze@opset1 "dim1" (%g1, %zero)
      %list = Concat@opset1 "list" ()" +
                             first + ", " + second + R"() {axis=0}
      %y = Reshape@opset1 "y" (%x, %list) {special_zero=false}
      Result@opset1 "r" (%y)
    )");
    const Numbers x = random_numbers({5, 4, 3}, 1);
    const auto before = lab.values(*g, {x});
    lab.run(*g, {"middle.keep_dimensions"});
    const auto now = lab.values(*g, {x});
    EXPECT_EQ(before.at(0).dims, now.at(0).dims);
    EXPECT_EQ(before.at(0).values, now.at(0).values);
    const std::string once = app::to_text(*g);
    lab.run(*g, {"middle.keep_dimensions"});
    EXPECT_EQ(app::to_text(*g), once);
    const core::PortRef list = g->source({g->find("y"), 1});
    return g->symbols().text(g->node(list.node).op) == "Const" ? Former(lab, *g).of_results()
                                                               : std::string("stays");
  };
  EXPECT_EQ(target("%dim0", "%rest"), "Reshape(x, {0 -1})");
  EXPECT_EQ(target("%rest", "%dim1"), "Reshape(x, {-1 0})");
  EXPECT_EQ(target("%dim1", "%rest"), "stays");  // of another place
  EXPECT_EQ(target("%rest", "%twelve"), "Reshape(x, {-1 12})");
}

// The batch of what attends is that of the query, where key and value have it, too.
TEST(KeepDimensions, BehindAttention) {
  LayoutLab lab;
  const auto g = lab.graph(R"(
    %x = Parameter@opset1 "x" {element_type=f32, shape=shape[?,3,4]} -> f32[?,3,4]
    %a = ScaledDotProductAttention@opset13 "a" (%x, %x, %x) {causal=false}
    %s = ShapeOf@opset3 "s" (%a)
    %zero = Const@opset1 "zero" -> i64[] {0}
    %first = Const@opset1 "first" -> i64[1] {0}
    %rest = Const@opset1 "rest" -> i64[1] {-1}
    %dim0 = Gather@opset1 "dim0" (%s, %first, %zero)
    %list = Concat@opset1 "list" (%dim0, %rest) {axis=0}
    %y = Reshape@opset1 "y" (%x, %list) {special_zero=false}
    Result@opset1 "r" (%y)
  )");
  lab.run(*g, {"middle.keep_dimensions"});
  const core::PortRef list = g->source({g->find("y"), 1});
  EXPECT_EQ(g->symbols().text(g->node(list.node).op), "Const");
}

std::string lstm(const std::string& forget_gate, const std::string& w) {
  return formula_after(R"(
    %x = Parameter@opset1 "x" {element_type=f32, shape=shape[2,3]} -> f32[2,3]
    %h = Parameter@opset1 "h" {element_type=f32, shape=shape[2,2]} -> f32[2,2]
    %c = Parameter@opset1 "c" {element_type=f32, shape=shape[2,2]} -> f32[2,2]
    %w = )" + w + R"(
    %b = Const@opset1 "b" -> f32[8] {1,-1,0.5,-0.5,0.25,0.75,-2,2}
    %one = Const@opset1 "one" -> f32[] {1}
    %axis = Const@opset1 "axis" -> i64[] {1}
    %joined = Concat@opset1 (%x, %h) {axis=1}
    %m = MatMul@opset1 (%joined, %w) {transpose_a=false, transpose_b=false}
    %s = Add@opset1 (%m, %b)
    %g = Split@opset1 "g" (%s, %axis) {num_splits=4} -> (_, _, _, _)
    %f = )" + forget_gate + R"(
    %fs = Sigmoid@opset1 (%f)
    %kept = Multiply@opset1 (%c, %fs)
    %is = Sigmoid@opset1 (%g)
    %js = Tanh@opset1 (%g:1)
    %new = Multiply@opset1 (%is, %js)
    %c2 = Add@opset1 (%kept, %new)
    %t = Tanh@opset1 (%c2)
    %os = Sigmoid@opset1 (%g:3)
    %y = Multiply@opset1 "y" (%t, %os) -> _ names("y:0")
    Result@opset1 "r" (%y)
    Result@opset1 "s" (%c2)
  )",
                       {"middle.fuse_lstm_cell"});
}

TEST(FuseLstmCell, WithItsForgetBiasOrWithout) {
  std::string w = "Const@opset1 \"w\" -> f32[5,8] {";
  for (int i = 0; i < 40; ++i) w += (i == 0 ? "" : ",") + std::to_string((i * 7 % 11 - 5) / 4.0);
  w += "}";
  const std::string cell = "LSTMCell(x, h, c, [8,3], [8,2], [8])";
  EXPECT_EQ(lstm("Add@opset1 (%g:2, %one)", w), cell + "; " + cell + ":1");
  EXPECT_EQ(lstm("Add@opset1 (%one, %g:2)", w), cell + "; " + cell + ":1");
  EXPECT_EQ(lstm("ReLU@opset1 (%g:2)", w).find("LSTMCell"), std::string::npos);
  // Two gates may be one: their weights are written twice then.
  EXPECT_EQ(lstm("Add@opset1 (%g:3, %one)", w), cell + "; " + cell + ":1");
  EXPECT_EQ(lstm("Add@opset1 (%g:2, %one)",
                 "Parameter@opset1 \"w\" {element_type=f32, shape=shape[5,8]} -> f32[5,8]")
                .find("LSTMCell"),
            std::string::npos);
}

}  // namespace
}  // namespace mo::test
