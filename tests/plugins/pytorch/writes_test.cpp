// Writing in place: into a tensor, through views of it, and into buffers and inputs.
#include "pytorch_fixture.hpp"

namespace mo::test {
namespace {

using testing::ElementsAre;

class PytorchWrites : public Pytorch {
 protected:
  // x = w + 0; a view of x; the view is multiplied by 10 in place; x is read.
  static Pt2File through(const std::string& op, const Pt2Graph::Arguments& more,
                         const Pt2File::Sizes& sizes) {
    Pt2File file;
    file.parameter("w", floats({1, 2, 3, 4, 5, 6}, {2, 3}));
    file.graph.node("torch.ops.aten.add.Tensor", {{"self", arg::tensor("w")}, {"other", arg::integer(0)}},
                    "x", {"2", "3"});
    Pt2Graph::Arguments arguments{{"self", arg::tensor("x")}};
    arguments.insert(arguments.end(), more.begin(), more.end());
    file.graph.node("torch.ops.aten." + op, arguments, "view", sizes);
    file.graph.node("torch.ops.aten.mul_.Tensor",
                    {{"self", arg::tensor("view")}, {"other", arg::integer(10)}}, "written", sizes);
    file.graph.node("torch.ops.aten.relu.default", {{"self", arg::tensor("x")}}, "y", {"2", "3"});
    file.output("y").output("view").output("written");
    return file;
  }
};

TEST_F(PytorchWrites, ThroughViews) {
  const auto one = [](const std::string& name, int64_t v) {
    return Pt2Graph::Arguments{{name, arg::integer(v)}};
  };
  const auto two = [](const std::string& a, int64_t x, const std::string& b, int64_t y) {
    return Pt2Graph::Arguments{{a, arg::integer(x)}, {b, arg::integer(y)}};
  };
  EXPECT_THAT(computed(through("select.int", two("dim", 1, "index", 1), {"2"})),
              ElementsAre(1, 20, 3, 4, 50, 6));
  EXPECT_THAT(computed(through(
                  "slice.Tensor",
                  {{"dim", arg::integer(1)}, {"start", arg::integer(1)}, {"end", arg::integer(INT64_MAX)}},
                  {"2", "2"})),
              ElementsAre(1, 20, 30, 4, 50, 60));
  EXPECT_THAT(computed(through("slice.Tensor",
                               {{"dim", arg::integer(1)},
                                {"start", arg::integer(0)},
                                {"end", arg::integer(3)},
                                {"step", arg::integer(2)}},
                               {"2", "2"})),
              ElementsAre(10, 2, 30, 40, 5, 60));
  EXPECT_THAT(
      computed(through("narrow.default",
                       {{"dim", arg::integer(1)}, {"start", arg::integer(1)}, {"length", arg::integer(1)}},
                       {"2", "1"})),
      ElementsAre(1, 20, 3, 4, 50, 6));
  EXPECT_THAT(computed(through("diagonal.default", {}, {"2"})), ElementsAre(10, 2, 3, 4, 50, 6));
  const std::vector<double> all{10, 20, 30, 40, 50, 60};
  EXPECT_EQ(computed(through("view.default", {{"size", arg::integers({6})}}, {"6"})), all);
  EXPECT_EQ(computed(through("reshape.default", {{"shape", arg::integers({3, 2})}}, {"3", "2"})), all);
  EXPECT_EQ(computed(through("unsqueeze.default", one("dim", 0), {"1", "2", "3"})), all);
  EXPECT_EQ(computed(through("detach.default", {}, {"2", "3"})), all);
  EXPECT_EQ(computed(through("t.default", {}, {"3", "2"})), all);
  EXPECT_EQ(computed(through("transpose.int", two("dim0", 0, "dim1", 1), {"3", "2"})), all);
  EXPECT_EQ(computed(through("permute.default", {{"dims", arg::integers({1, 0})}}, {"3", "2"})), all);
}

// What is read of the view afterwards is what was written.
TEST_F(PytorchWrites, TheViewHasIt) {
  const Pt2File file = through("select.int", {{"dim", arg::integer(0)}, {"index", arg::integer(1)}}, {"3"});
  EXPECT_THAT(computed(file, 1), ElementsAre(40, 50, 60));
  EXPECT_THAT(computed(file, 2), ElementsAre(40, 50, 60));
}

// A view that was made before a write sees it; so does a view of another part, where they overlap.
TEST_F(PytorchWrites, OtherViewsSeeIt) {
  Pt2File file;
  file.parameter("w", floats({1, 2, 3, 4}, {4}));
  file.graph.node("torch.ops.aten.add.Tensor", {{"self", arg::tensor("w")}, {"other", arg::integer(0)}}, "x",
                  {"4"});
  const auto part = [&](const char* name, int64_t start, int64_t end) {
    file.graph.node("torch.ops.aten.slice.Tensor",
                    {{"self", arg::tensor("x")},
                     {"dim", arg::integer(0)},
                     {"start", arg::integer(start)},
                     {"end", arg::integer(end)}},
                    name, {text(end - start)});
  };
  part("a", 0, 3);
  part("b", 1, 4);
  file.graph.node("torch.ops.aten.add_.Tensor", {{"self", arg::tensor("a")}, {"other", arg::integer(10)}},
                  "c", {"3"});
  file.output("b").output("x").output("w");
  EXPECT_THAT(computed(file, 0), ElementsAre(12, 13, 4));
  EXPECT_THAT(computed(file, 1), ElementsAre(11, 12, 13, 4));
  EXPECT_THAT(computed(file, 2), ElementsAre(1, 2, 3, 4)) << "the sum was another tensor";
}

TEST_F(PytorchWrites, PartsOfAList) {
  Pt2File file;
  file.parameter("w", floats({1, 2, 3, 4}, {4}));
  file.graph.node("torch.ops.aten.add.Tensor", {{"self", arg::tensor("w")}, {"other", arg::integer(0)}}, "x",
                  {"4"});
  file.graph.tensor("a", {"2"}).tensor("b", {"2"});
  file.graph.call("torch.ops.aten.split.Tensor",
                  {{"self", arg::tensor("x")}, {"split_size", arg::integer(2)}}, arg::tensors({"a", "b"}),
                  "split");
  file.graph.node("torch.ops.aten.mul_.Tensor", {{"self", arg::tensor("b")}, {"other", arg::integer(2)}}, "c",
                  {"2"});
  file.output("x").output("a");
  EXPECT_THAT(computed(file, 0), ElementsAre(1, 2, 6, 8));
  EXPECT_THAT(computed(file, 1), ElementsAre(1, 2));
}

TEST_F(PytorchWrites, WhatIsRepeatedTakesNone) {
  EXPECT_THAT(
      load_failure(through("expand.default", {{"size", arg::integers({4, 2, 3})}}, {"4", "2", "3"}).bytes()),
      HasSubstr("it writes into a tensor whose elements 'expand.default' repeats"));
}

class PytorchBuffers : public Pytorch {
 protected:
  // count += x, in place; y = count
  static Pt2File counter() {
    Pt2File file;
    file.weight("buffer", "b_count", "counter.count", floats({5, 6}, {2})).input("x", {"2"});
    file.graph.node("torch.ops.aten.add_.Tensor",
                    {{"self", arg::tensor("b_count")}, {"other", arg::tensor("x")}}, "add_", {"2"});
    file.output("add_");
    return file;
  }
  // The same without a write in place.
  static Pt2File functional() {
    Pt2File file;
    file.weight("buffer", "b_count", "counter.count", floats({5, 6}, {2})).input("x", {"2"});
    file.graph.node("torch.ops.aten.add.Tensor",
                    {{"self", arg::tensor("b_count")}, {"other", arg::tensor("x")}}, "add", {"2"});
    file.changes("counter.count", "add").output("add");
    return file;
  }
};

TEST_F(PytorchBuffers, AreState) {
  for (const Pt2File& file : {counter(), functional()}) {
    const core::GraphPtr g = prepare(file);
    const core::NodeId read = node(*g, "counter/count/ReadValue");
    EXPECT_EQ(attribute<std::string>(*g, read, "variable_id"), "counter.count");
    EXPECT_EQ(text(g->out({read, 0}).tensor.shape), "[2]");
    EXPECT_EQ(type(*g, "counter/count/Assign"), "Assign@opset6");
  }
}

TEST_F(PytorchBuffers, CountersAreStateOf32Bits) {
  constexpr int i64 = 5;
  StoredWeight count{bytes_of(std::vector<int64_t>{7}), {1}, {1}};
  count.dtype = i64;
  Pt2File file;
  file.weight("buffer", "b_count", "norm.count", count).input("x", {"1"}, i64);
  file.graph.node("torch.ops.aten.add.Tensor",
                  {{"self", arg::tensor("b_count")}, {"other", arg::tensor("x")}}, "add", {"1"}, i64);
  file.changes("norm.count", "add").output("add");
  const core::GraphPtr g = prepare(file);
  const core::NodeId read = node(*g, "norm/count/ReadValue");
  EXPECT_EQ(g->out({read, 0}).tensor.type, ElementType::i32);
  EXPECT_EQ(g->out({node(*g, "norm/count/Assign"), 0}).tensor.type, ElementType::i32);
}

TEST_F(PytorchBuffers, OrInputsAndOutputs) {
  options_ = {{"mutated_buffers", core::Attribute(std::string("inputs"))}};
  for (const Pt2File& file : {counter(), functional()}) {
    const core::GraphPtr g = prepare(file);
    EXPECT_EQ(type(*g, "counter.count"), "Parameter@opset1");
    EXPECT_EQ(type(*g, "counter.count/changed/sink_port_0"), "Result@opset1");
    EXPECT_EQ(g->find("counter/count/ReadValue"), core::no_node);
  }
}

TEST_F(PytorchBuffers, InputsThatAreWrittenIntoAreOutputs) {
  Pt2File file;
  file.input("x", {"2"});
  file.graph.node("torch.ops.aten.mul_.Tensor", {{"self", arg::tensor("x")}, {"other", arg::integer(3)}}, "z",
                  {"2"});
  file.graph.node("torch.ops.aten.relu.default", {{"self", arg::tensor("x")}}, "y", {"2"});
  file.output("y");
  const core::GraphPtr g = prepare(file);
  EXPECT_EQ(type(*g, "x/changed/sink_port_0"), "Result@opset1");
}

}  // namespace
}  // namespace mo::test
