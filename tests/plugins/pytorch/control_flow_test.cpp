// Graphs within graphs: what they compute.
#include "pytorch_fixture.hpp"

namespace mo::test {
namespace {

using testing::ElementsAre;

class PytorchControlFlow : public Pytorch {
 protected:
  static Pt2Graph unary(const std::string& op, const Pt2Graph::Arguments& more = {}, int dtype = 7) {
    Pt2Graph g;
    g.input("a", {"2"}).input("b", {"2"});
    Pt2Graph::Arguments arguments{{"self", arg::tensor("a")}};
    arguments.insert(arguments.end(), more.begin(), more.end());
    g.node("torch.ops.aten." + op, arguments, "r", {"2"}, dtype).output(arg::tensor("r"));
    return g;
  }
};

TEST_F(PytorchControlFlow, Cond) {
  for (const float sign : {1.0F, -1.0F}) {
    Pt2File file;
    file.parameter("x", floats({sign, 2}, {2})).parameter("k", floats({10, 20}, {2}));
    file.parameter("s", floats({sign}, {}));
    file.graph.node("torch.ops.aten.gt.Scalar", {{"self", arg::tensor("s")}, {"other", arg::integer(0)}}, "c",
                    {}, 12);
    file.graph.tensor("y", {"2"});
    file.graph.call("torch.ops.higher_order.cond",
                    {{"", arg::tensor("c")},
                     {"", arg::graph(unary("add.Tensor", {{"other", arg::tensor("b")}}).json())},
                     {"", arg::graph(unary("mul.Tensor", {{"other", arg::tensor("b")}}).json())},
                     {"", arg::tensors({"x", "k"})}},
                    arg::tensor("y"), "cond");
    file.output("y");
    if (sign > 0)
      EXPECT_THAT(computed(file), ElementsAre(11, 22));
    else
      EXPECT_THAT(computed(file), ElementsAre(-10, 40));
  }
}

// while n < 4: n, x = n + 1, x + k
TEST_F(PytorchControlFlow, WhileLoop) {
  Pt2Graph condition, body;
  condition.input("n", {}, 5).input("x", {"2"}).input("k", {"2"});
  condition.node("torch.ops.aten.lt.Scalar", {{"self", arg::tensor("n")}, {"other", arg::integer(4)}}, "c",
                 {}, 12);
  condition.output(arg::tensor("c"));
  body.input("n", {}, 5).input("x", {"2"}).input("k", {"2"});
  body.node("torch.ops.aten.add.Tensor", {{"self", arg::tensor("n")}, {"other", arg::integer(1)}}, "m", {},
            5);
  body.node("torch.ops.aten.add.Tensor", {{"self", arg::tensor("x")}, {"other", arg::tensor("k")}}, "z",
            {"2"});
  body.output(arg::tensor("m")).output(arg::tensor("z"));
  Pt2File file;
  StoredWeight one{bytes_of<int64_t>({1}), {}, {}};
  one.dtype = 5;
  file.parameter("i", one).parameter("v", floats({0, 1}, {2})).parameter("w", floats({10, 20}, {2}));
  file.graph.tensor("last", {}, 5).tensor("y", {"2"});
  file.graph.call("torch.ops.higher_order.while_loop",
                  {{"", arg::graph(condition.json())},
                   {"", arg::graph(body.json())},
                   {"", arg::tensors({"i", "v"})},
                   {"", arg::tensors({"w"})}},
                  arg::tensor("last") + ", " + arg::tensor("y"), "loop");
  file.output("last").output("y");
  EXPECT_THAT(computed(file, 0), ElementsAre(4));
  EXPECT_THAT(computed(file, 1), ElementsAre(30, 61));
}

TEST_F(PytorchControlFlow, Map) {
  Pt2File file;
  file.parameter("x", floats({1, 2, 3, 4, 5, 6}, {3, 2})).parameter("k", floats({10, 20}, {2}));
  file.graph.tensor("y", {"3", "2"});
  file.graph.call("torch.ops.higher_order.map_impl",
                  {{"", arg::graph(unary("add.Tensor", {{"other", arg::tensor("b")}}).json())},
                   {"", arg::tensors({"x"})},
                   {"", arg::tensors({"k"})}},
                  arg::tensor("y"), "map");
  file.output("y");
  EXPECT_THAT(computed(file), ElementsAre(11, 22, 13, 24, 15, 26));
}

// Sums so far, from the first to the last; and, as torch 2.6 has it, the other way round.
TEST_F(PytorchControlFlow, Scan) {
  Pt2Graph step;
  step.input("s", {"2"}).input("x", {"2"});
  step.node("torch.ops.aten.add.Tensor", {{"self", arg::tensor("s")}, {"other", arg::tensor("x")}}, "t",
            {"2"});
  step.output(arg::tensor("t")).output(arg::tensor("t"));
  for (const bool reverse : {false, true}) {
    Pt2File file;
    file.parameter("s", floats({0, 100}, {2})).parameter("x", floats({1, 2, 3, 4, 5, 6}, {3, 2}));
    file.graph.tensor("last", {"2"}).tensor("y", {"3", "2"});
    Pt2Graph::Arguments arguments{
        {"", arg::graph(step.json())}, {"", arg::tensors({"s"})}, {"", arg::tensors({"x"})}};
    if (reverse) {
      arguments.emplace_back("", arg::integer(0));
      arguments.emplace_back("", R"({"as_bool": true})");
    }
    arguments.emplace_back("", arg::tensors({}));
    file.graph.call("torch.ops.higher_order.scan", arguments, arg::tensor("last") + ", " + arg::tensor("y"),
                    "scan");
    file.output("last").output("y");
    EXPECT_THAT(computed(file, 0), ElementsAre(9, 112));
    if (reverse)
      EXPECT_THAT(computed(file, 1), ElementsAre(9, 112, 8, 110, 5, 106));
    else
      EXPECT_THAT(computed(file, 1), ElementsAre(1, 102, 4, 106, 9, 112));
  }
}

// What only changes how autograd works is its graph; what that writes into is written into.
TEST_F(PytorchControlFlow, Inlined) {
  Pt2Graph inner;
  inner.input("a", {"2"});
  inner.node("torch.ops.aten.add_.Tensor", {{"self", arg::tensor("a")}, {"other", arg::integer(1)}}, "r",
             {"2"});
  inner.output(arg::tensor("r"));
  Pt2File file;
  file.parameter("w", floats({1, 2}, {2}));
  file.graph.node("torch.ops.aten.add.Tensor", {{"self", arg::tensor("w")}, {"other", arg::integer(0)}}, "x",
                  {"2"});
  file.graph.tensor("y", {"2"});
  file.graph.call("torch.ops.higher_order.wrap_with_set_grad_enabled",
                  {{"", R"({"as_bool": false})"}, {"", arg::graph(inner.json())}, {"", arg::tensor("x")}},
                  arg::tensor("y"), "wrap");
  file.output("y").output("x");
  EXPECT_THAT(computed(file, 0), ElementsAre(2, 3));
  EXPECT_THAT(computed(file, 1), ElementsAre(2, 3));
}

TEST_F(PytorchControlFlow, OthersAreRefused) {
  Pt2File file;
  file.input("x", {"2"});
  file.graph.tensor("y", {"2"});
  file.graph.call("torch.ops.higher_order.flex_attention", {{"", arg::tensor("x")}}, arg::tensor("y"),
                  "flex");
  file.output("y");
  EXPECT_THAT(load_failure(file.bytes()),
              HasSubstr("the higher-order operator 'flex_attention' is not converted"));
}

// Conditions are read twice: loops in conditions of loops would be read 2^20 times.
TEST_F(PytorchControlFlow, NestedConditionsAreLimited) {
  std::string condition;
  for (int depth = 0; depth < 20; ++depth) {
    Pt2Graph g;
    g.input("a", {}, 12);
    if (condition.empty()) {
      g.output(arg::tensor("a"));
    } else {
      g.tensor("r", {}, 12);
      Pt2Graph body;
      body.input("a", {}, 12).output(arg::tensor("a"));
      g.call("torch.ops.higher_order.while_loop",
             {{"", arg::graph(condition)}, {"", arg::graph(body.json())}, {"", arg::tensors({"a"})}},
             arg::tensor("r"), "loop");
      g.output(arg::tensor("r"));
    }
    condition = g.json();
  }
  Pt2File file;
  file.input("x", {}, 12);
  file.graph.tensor("y", {}, 12);
  Pt2Graph body;
  body.input("a", {}, 12).output(arg::tensor("a"));
  file.graph.call("torch.ops.higher_order.while_loop",
                  {{"", arg::graph(condition)}, {"", arg::graph(body.json())}, {"", arg::tensors({"x"})}},
                  arg::tensor("y"), "loop");
  file.output("y");
  EXPECT_THAT(load_failure(file.bytes()), HasSubstr("stand for too many nodes"));
}

}  // namespace
}  // namespace mo::test
