#include "tests/plugins/builtin_passes/passes_lab.hpp"

namespace mo::test {
namespace {

const std::vector<std::string> fuse_linear = {"middle.fuse_linear"};

size_t count(const core::Graph& g, std::string_view op) { return g.nodes_of(op).size(); }

// A pointwise convolution of two channels, [[1,2],[3,4]], then what `behind` says from %c to %y.
std::string convolved(std::string_view behind) {
  return text(R"(
    %x = Parameter@opset1 "x" {element_type=f32, shape=shape[1,2,1,2]} -> f32[1,2,1,2] names("x")
    %w = Const@opset1 "w" -> f32[2,2,1,1] {1,2,3,4}
    %c = Convolution@opset1 "c" (%x, %w) {strides=[1,1], dilations=[1,1], pads_begin=[0,0], pads_end=[0,0]} -> _ names("c")
  )",
              behind, R"(
    Result@opset1 "r" (%y)
  )");
}

constexpr std::string_view input =
    "x->[1 2 3 4]";  // channels [1,2] and [3,4]: the convolution gives 7,10,15,22

TEST(FuseLinear, FactorsOfChannelsGoIntoWeights) {
  PassesLab lab;
  const auto g = lab.graph(convolved(R"(
    %f = Const@opset1 "f" -> f32[1,2,1,1] {10,100}
    %y = Multiply@opset1 "y" (%c, %f) -> _ names("y")
  )"));
  lab.run(*g, fuse_linear);
  EXPECT_EQ(count(*g, "Multiply"), 0U);
  EXPECT_EQ(g->op(g->find("y")), "Convolution") << "the name that users know stays";
  EXPECT_EQ(lab.computed(*g, input), (std::vector<double>{70, 100, 1500, 2200}));
}

TEST(FuseLinear, FactorsPassASum) {
  PassesLab lab;
  const auto g = lab.graph(convolved(R"(
    %b = Const@opset1 "b" -> f32[1,2,1,1] {1,2}
    %s = Add@opset1 "s" (%b, %c) -> _ names("s")
    %f = Const@opset1 "f" -> f32[2,1,1] {10,100}
    %m = Multiply@opset1 "m" (%s, %f) -> _ names("m")
    %d = Const@opset1 "d" -> f32[1,1,1,1] {5}
    %y = Add@opset1 "y" (%m, %d) -> _ names("y")
  )"));
  lab.run(*g, fuse_linear);
  EXPECT_EQ(count(*g, "Multiply"), 0U);
  EXPECT_EQ(count(*g, "Add"), 1U);
  EXPECT_EQ(count(*g, "Const"), 2U);
  EXPECT_EQ(lab.computed(*g, input), (std::vector<double>{85, 115, 1705, 2405}));
}

TEST(FuseLinear, ProductsOfMatrices) {
  for (const bool turned : {false, true}) {
    PassesLab lab;
    const auto g = lab.graph(text(R"(
      %x = Parameter@opset1 "x" {element_type=f32, shape=shape[1,2]} -> f32[1,2] names("x")
      %w = Const@opset1 "w" -> f32[2,2] )",
                                  turned ? "{1,3,2,4}" : "{1,2,3,4}", R"(
      %c = MatMul@opset1 "c" (%x, %w) {transpose_a=false, transpose_b=)",
                                  turned ? "true" : "false", R"(}
      %f = Const@opset1 "f" -> f32[2] {10,100}
      %y = Multiply@opset1 "y" (%f, %c) -> _ names("y")
      Result@opset1 "r" (%y)
    )"));
    lab.run(*g, fuse_linear);
    EXPECT_EQ(count(*g, "Multiply"), 0U);
    EXPECT_EQ(lab.computed(*g, "x->[1 2]"), (std::vector<double>{70, 1000})) << turned;
  }
}

TEST(FuseLinear, GroupsAndTransposedConvolutions) {
  PassesLab lab;
  const auto g = lab.graph(R"(
    %x = Parameter@opset1 "x" {element_type=f32, shape=shape[1,2,1,1]} -> f32[1,2,1,1] names("x")
    %w = Const@opset1 "w" -> f32[2,1,1,1,1] {3,5}
    %c = GroupConvolution@opset1 "c" (%x, %w) {strides=[1,1], dilations=[1,1], pads_begin=[0,0], pads_end=[0,0]}
    %f = Const@opset1 "f" -> f32[1,2,1,1] {10,100}
    %m = Multiply@opset1 "m" (%c, %f)
    %v = Const@opset1 "v" -> f32[2,2,1,1] {1,2,3,4}
    %d = ConvolutionBackpropData@opset1 "d" (%m, %v) {strides=[1,1], dilations=[1,1], pads_begin=[0,0], pads_end=[0,0]}
    %h = Const@opset1 "h" -> f32[1,2,1,1] {1,-1}
    %y = Multiply@opset1 "y" (%d, %h) -> _ names("y")
    Result@opset1 "r" (%y)
  )");
  lab.run(*g, fuse_linear);
  EXPECT_EQ(count(*g, "Multiply"), 0U);
  // 1*3*10 = 30 and 1*5*100 = 500; 30*1 + 500*3 and 30*2 + 500*4.
  EXPECT_EQ(lab.computed(*g, "x->[1 1]"), (std::vector<double>{1530, -2060}));
}

TEST(FuseLinear, LeavesAloneWhatOthersReadAndWhatIsOfNoChannel) {
  for (const std::string_view behind : {
           // The convolution is an output, too.
           R"(%f = Const@opset1 "f" -> f32[1,2,1,1] {10,100}
              %y = Multiply@opset1 "y" (%c, %f) -> _ names("y")
              Result@opset1 "r2" (%c))",
           // Factors along the width.
           R"(%f = Const@opset1 "f" -> f32[2] {10,100}
              %y = Multiply@opset1 "y" (%c, %f) -> _ names("y"))",
           // The shape changes.
           R"(%f = Const@opset1 "f" -> f32[2,1,1,1] {10,100}
              %y = Multiply@opset1 "y" (%c, %f) -> _ names("y"))",
           // The sum is read by something else, too.
           R"(%b = Const@opset1 "b" -> f32[1,2,1,1] {1,2}
              %s = Add@opset1 "s" (%c, %b) -> _ names("s")
              %f = Const@opset1 "f" -> f32[1,2,1,1] {10,100}
              %m = Multiply@opset1 "m" (%s, %f)
              %y = Subtract@opset1 "y" (%m, %s) -> _ names("y"))",
       }) {
    PassesLab lab;
    const auto g = lab.graph(convolved(behind));
    const std::string before = app::to_text(*g);
    lab.run(*g, fuse_linear);
    EXPECT_EQ(app::to_text(*g), before);
  }
}

// What is left of a product and a sum alone: both, unless one of them does nothing everywhere.
TEST(FuseLinear, AProductAndASumStayUnlessOneDoesNothing) {
  struct Row {
    const char *first, *second, *a, *b;
    size_t products, sums;
    std::vector<double> y;  // of 1, 2
  };
  const Row rows[] = {
      {"Multiply", "Add", "{3,4}", "{5,6}", 1, 1, {8, 14}},
      {"Add", "Multiply", "{5,6}", "{3,4}", 1, 1, {18, 32}},
      {"Subtract", "Divide", "{5,6}", "{2,4}", 1, 1, {-2, -1}},
      {"Multiply", "Add", "{1,4}", "{5,6}", 1, 1, {6, 14}},
      {"Multiply", "Add", "{3,4}", "{0,6}", 1, 1, {3, 14}},
      {"Multiply", "Add", "{1,1}", "{5,6}", 0, 1, {6, 8}},
      {"Multiply", "Add", "{3,4}", "{0,0}", 1, 0, {3, 8}},
      {"Add", "Multiply", "{5,6}", "{0,0}", 1, 0, {0, 0}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(text(row.first, " ", row.a, ", ", row.second, " ", row.b));
    PassesLab lab;
    const auto g = lab.graph(text(R"(
      %x = Parameter@opset1 "x" {element_type=f32, shape=shape[1,2]} -> f32[1,2] names("x")
      %a = Const@opset1 "a" -> f32[1,2] )",
                                  row.a, R"(
      %m = )",
                                  row.first, R"(@opset1 "m" (%x, %a)
      %b = Const@opset1 "b" -> f32[1,2] )",
                                  row.b, R"(
      %y = )",
                                  row.second, R"(@opset1 "y" (%m, %b) -> _ names("y")
      Result@opset1 "r" (%y)
    )"));
    lab.run(*g, fuse_linear);
    EXPECT_EQ(count(*g, "Multiply") + count(*g, "Divide"), row.products);
    EXPECT_EQ(count(*g, "Add") + count(*g, "Subtract"), row.sums);
    EXPECT_EQ(lab.computed(*g, "x->[1 2]"), row.y);
  }
}

TEST(FuseLinear, TwiceEqualsOnce) {
  PassesLab lab;
  const auto g = lab.graph(convolved(R"(
    %b = Const@opset1 "b" -> f32[1,2,1,1] {1,2}
    %s = Add@opset1 "s" (%c, %b)
    %f = Const@opset1 "f" -> f32[1,2,1,1] {10,100}
    %y = Multiply@opset1 "y" (%s, %f) -> _ names("y")
  )"));
  lab.run(*g, fuse_linear);
  const std::string once = app::to_text(*g);
  lab.run(*g, fuse_linear);
  EXPECT_EQ(app::to_text(*g), once);
}

}  // namespace
}  // namespace mo::test
