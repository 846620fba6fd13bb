// If, Loop and Scan with bodies of a few nodes, whose results can be computed in the head.
#include "onnx_fixture.hpp"

namespace mo::test {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class OnnxControlFlow : public Onnx {
 protected:
  static OnnxTensor flag(bool value) {
    const std::byte b{static_cast<unsigned char>(value)};
    return OnnxTensor::raw(OnnxType::boolean, {}, {&b, 1});
  }

  // One output that depends on a value of the graph around it.
  static GraphBuilder branch(std::string_view op, std::string_view a, std::string_view b) {
    GraphBuilder g("branch");
    g.output(g.op(op, {std::string(a), std::string(b)}));
    return g;
  }

  // sum += x, up to `limit`; the sums are collected.
  static GraphBuilder summing() {
    GraphBuilder g("body");
    g.input("step", OnnxType::int64, {});
    g.input("go_on", OnnxType::boolean, {});
    g.input("sum", OnnxType::float32, {1});
    const std::string next = g.op("Add", {"sum", "x"});
    g.output(g.op("Less", {g.op("ReduceSum", {next}, {{"keepdims", 0}}), "limit"}));
    g.output(next);
    g.output(g.op("Mul", {next, g.op("Cast", {"step"}, {{"to", 1}})}));
    return g;
  }
  void add_loop(ModelBuilder& m, const std::string& count, const std::string& condition) {
    m.initializer("limit", floats({}, {9}));
    m.initializer("zero", floats({1}, {0}));
    m.node({.type = "Loop",
            .inputs = {count, condition, "zero"},
            .outputs = {"last", "all"},
            .attributes = {{"body", summing()}},
            .name = "op"});
    m.output("last");
    m.output("all");
  }
};

TEST_F(OnnxControlFlow, IfReadsValuesAroundIt) {
  for (const bool takes : {true, false}) {
    ModelBuilder m(13);
    m.initializer("a", floats({2}, {5, 7}));
    m.initializer("b", floats({2}, {1, 2}));
    m.node(
        {.type = "If",
         .inputs = {m.constant(flag(takes))},
         .outputs = {"y"},
         .attributes = {{"then_branch", branch("Add", "a", "b")}, {"else_branch", branch("Sub", "a", "b")}},
         .name = "op"});
    m.output("y");
    EXPECT_THAT(computed(m), takes ? ElementsAre(6, 9) : ElementsAre(4, 5));
  }
}

TEST_F(OnnxControlFlow, AnIfWithAKnownConditionIsItsBody) {
  // The inner condition is known when the rank of what the outer body makes is.
  ModelBuilder m(13);
  m.input("a", OnnxType::float32, {2});
  m.initializer("b", floats({2}, {1, 2}));
  m.initializer("one", ints({1}));
  GraphBuilder outer("outer");
  const std::string sum = outer.op("Add", {"a", "b"});
  const std::string rank = outer.op("Shape", {outer.op("Shape", {sum})});
  const std::string is_one = outer.op("Squeeze", {outer.op("Equal", {rank, "one"})});
  outer.node(
      {.type = "If",
       .inputs = {is_one},
       .outputs = {"inner"},
       .attributes = {{"then_branch", branch("Mul", sum, "b")}, {"else_branch", branch("Sub", sum, "b")}},
       .name = "inner_if"});
  outer.output("inner");
  m.node({.type = "If",
          .inputs = {m.constant(flag(true))},
          .outputs = {"y"},
          .attributes = {{"then_branch", outer}, {"else_branch", branch("Div", "a", "b")}},
          .name = "op"});
  m.output("y");
  const core::GraphPtr g = prepare(m);
  EXPECT_EQ(count(*g, "If"), 0U) << app::to_text(*g);
  EXPECT_EQ(count(*g, "Add"), 1U);
  EXPECT_EQ(count(*g, "Multiply"), 1U);
  EXPECT_EQ(count(*g, "Divide") + count(*g, "Subtract"), 0U);
  EXPECT_EQ(shape(*g), (Shape{2}));
}

TEST_F(OnnxControlFlow, AnIfWhoseConditionIsNotKnownStays) {
  ModelBuilder m(13);
  m.input("c", OnnxType::boolean, {});
  m.input("a", OnnxType::float32, {2});
  m.node({.type = "If",
          .inputs = {"c"},
          .outputs = {"y"},
          .attributes = {{"then_branch", branch("Mul", "a", "a")}, {"else_branch", branch("Sub", "a", "a")}},
          .name = "op"});
  m.output("y");
  EXPECT_EQ(count(*prepare(m), "If"), 1U);
}

TEST_F(OnnxControlFlow, ABranchThatCannotRunIsLeftOut) {
  // Of both branches, of which the condition chooses one, and with a condition that is known later than shapes are.
  for (const bool known : {false, true}) {
    ModelBuilder m(13);
    m.input("a", OnnxType::float32, {2, 3});
    m.input("c", OnnxType::boolean, {});
    const auto transposed = [](const std::vector<int64_t>& order) {
      GraphBuilder g("transposed");
      g.output(g.op("Transpose", {"a"}, {{"perm", order}}));
      return g;
    };
    std::string condition = "c";
    if (known) condition = m.op("Equal", {m.op("Size", {"a"}), m.constant(OnnxTensor::scalar<int64_t>(7))});
    m.node({.type = "If",
            .inputs = {condition},
            .outputs = {"y"},
            .attributes = {{"then_branch", transposed({0, 2, 1})}, {"else_branch", transposed({1, 0})}},
            .name = "op"});
    m.output("y");
    const core::GraphPtr g = prepare(m);
    EXPECT_EQ(count(*g, "If"), 0U) << app::to_text(*g);
    EXPECT_EQ(shape(*g), (Shape{3, 2}));
  }
}

TEST_F(OnnxControlFlow, AnErrorInBothBranchesNamesTheLastOne) {
  ModelBuilder m(13);
  m.input("a", OnnxType::float32, {2, 3});
  m.input("c", OnnxType::boolean, {});
  GraphBuilder wrong("wrong");
  wrong.output(wrong.op("Transpose", {"a"}, {{"perm", std::vector<int64_t>{0, 2, 1}}}));
  m.node({.type = "If",
          .inputs = {"c"},
          .outputs = {"y"},
          .attributes = {{"then_branch", wrong}, {"else_branch", wrong}},
          .name = "op"});
  m.output("y");
  EXPECT_THAT(failure_of(m), HasSubstr("in its else branch: order has 3 entries but the rank is 2"));
}

TEST_F(OnnxControlFlow, ASequenceThatALoopFillsIsATensor) {
  for (const bool stacked : {true, false}) {
    ModelBuilder m(13);
    GraphBuilder body("body");
    body.input("step", OnnxType::int64, {});
    body.input("go_on", OnnxType::boolean, {});
    body.input("sum", OnnxType::float32, {1, 2});
    body.input("list", OnnxType::float32);
    const std::string next = body.op("Add", {"sum", "x"});
    body.output(body.op("Identity", {"go_on"}));
    body.output(next);
    body.output(body.op("SequenceInsert", {"list", next}));
    m.initializer("x", floats({1, 2}, {1, 2}));
    m.initializer("zero", floats({1, 2}, {0, 0}));
    m.node({.type = "Loop",
            .inputs = {m.constant(OnnxTensor::scalar<int64_t>(3)), "", "zero", m.op("SequenceEmpty", {})},
            .outputs = {"last", "all"},
            .attributes = {{"body", body}},
            .name = "op"});
    m.output("last");
    m.output(m.op("ConcatFromSequence", {"all"}, {{"axis", 1}, {"new_axis", stacked ? 1 : 0}}));
    const core::GraphPtr g = prepare(m);
    EXPECT_THAT(values(*g), ElementsAre(3, 6));
    EXPECT_THAT(values(*g, 1), ElementsAre(1, 2, 2, 4, 3, 6));
    EXPECT_EQ(shape(*g, 1), stacked ? (Shape{1, 3, 2}) : (Shape{1, 6}));
  }
}

TEST_F(OnnxControlFlow, WhatBodiesReadBecomesInputsOnce) {
  ModelBuilder m(13);
  m.input("c", OnnxType::boolean, {});
  m.input("a", OnnxType::float32, {2, 3});
  m.initializer("b", floats({3}, {1, 2, 3}));
  GraphBuilder outer("outer");  // reads `a` for the graph inside it only
  outer.node({.type = "If",
              .inputs = {"c"},
              .outputs = {"inner_y"},
              .attributes = {{"then_branch", branch("Add", "a", "b")},
                             {"else_branch", branch("Sub", "late", "b")}}});
  outer.output("inner_y");
  m.node({.type = "If",
          .inputs = {"c"},
          .outputs = {"y"},
          .attributes = {{"then_branch", outer}, {"else_branch", branch("Mul", "a", "b")}},
          .name = "op"});
  m.node({.type = "Relu", .inputs = {"a"}, .outputs = {"late"}});
  m.output("y");
  const auto g = prepare(m);
  EXPECT_EQ(type(*g, "op"), "If@opset8");
  EXPECT_EQ(shape(*g), (Shape{2, 3}));
  EXPECT_EQ(g->node(node(*g, "op")).inputs.size(), 4U);  // condition, c, a, late; b is a constant
}

TEST_F(OnnxControlFlow, AValueMayBeDefinedBehindItsReader) {
  ModelBuilder m(13);
  m.input("c", OnnxType::boolean, {});
  m.input("a", OnnxType::float32, {2});
  const auto choice = [](const GraphBuilder& g, std::string_view output) {
    return OnnxNode{.type = "If",
                    .inputs = {"c"},
                    .outputs = {std::string(output)},
                    .attributes = {{"then_branch", g}, {"else_branch", g}}};
  };
  GraphBuilder middle("middle");
  middle.node(choice(branch("Add", "a", "later"), "z"));
  middle.node({.type = "Relu", .inputs = {"a"}, .outputs = {"later"}});
  middle.output("z");
  m.node(choice(middle, "y"));
  m.output("y");
  EXPECT_EQ(shape(*prepare(m)), (Shape{2}));
}

TEST_F(OnnxControlFlow, BodiesAreNestedToALimit) {
  for (const int depth : {20, 100}) {
    ModelBuilder m(13);
    m.input("c", OnnxType::boolean, {});
    m.input("a", OnnxType::float32, {2});
    GraphBuilder body = branch("Add", "a", "a");
    for (int i = 0; i < depth; ++i) {
      GraphBuilder around("around");
      const std::string y = "y" + std::to_string(i);
      around.node({.type = "If",
                   .inputs = {"c"},
                   .outputs = {y},
                   .attributes = {{"then_branch", body}, {"else_branch", branch("Sub", "a", "a")}}});
      around.output(y);
      body = around;
    }
    m.node({.type = "If",
            .inputs = {"c"},
            .outputs = {"y"},
            .attributes = {{"then_branch", body}, {"else_branch", branch("Sub", "a", "a")}}});
    m.output("y");
    const std::string failure = failure_of(m);
    EXPECT_EQ(failure.empty(), depth < 32) << failure;
    EXPECT_THAT(failure, HasSubstr(depth < 32 ? "" : "deeper than 32"));
  }
}

TEST_F(OnnxControlFlow, ALoopCountsAndCollects) {
  ModelBuilder m(13);
  m.initializer("x", floats({1}, {2}));
  add_loop(m, m.constant(OnnxTensor::of<int64_t>({}, {3})), "");
  const auto g = prepare(m);
  EXPECT_THAT(values(*g, 0), ElementsAre(6));
  EXPECT_THAT(values(*g, 1), ElementsAre(0, 4, 12));
}

TEST_F(OnnxControlFlow, ALoopEndsWithItsCondition) {
  ModelBuilder m(13);
  m.initializer("x", floats({1}, {2}));
  add_loop(m, "", m.constant(flag(true)));
  const auto g = prepare(m);
  EXPECT_THAT(values(*g, 0), ElementsAre(10));
  EXPECT_THAT(values(*g, 1), ElementsAre(0, 4, 12, 24, 40));
}

TEST_F(OnnxControlFlow, NegativeCountsAreNone) {
  ModelBuilder m(13);
  m.initializer("x", floats({1}, {2}));
  add_loop(m, m.constant(OnnxTensor::of<int64_t>({}, {-3})), "");
  EXPECT_THAT(values(*prepare(m), 0), ElementsAre(0));
}

TEST_F(OnnxControlFlow, LengthsOfWhatALoopCollectsMayBeOpen) {
  ModelBuilder m(13);
  m.input("x", OnnxType::float32, {1});
  m.input("n", OnnxType::int64, {});
  add_loop(m, "n", "");
  const auto g = prepare(m);
  EXPECT_EQ(type(*g, "op"), "Loop@opset5");
  EXPECT_EQ(shape(*g, 0), (Shape{1}));
  EXPECT_EQ(shape(*g, 1), (Shape{any_dim, 1}));
}

TEST_F(OnnxControlFlow, ScanGoesAlongAnyAxisBothWays) {
  GraphBuilder body("body");
  body.input("sum", OnnxType::float32, {2});
  body.input("part", OnnxType::float32, {2});
  body.node({.type = "Add", .inputs = {"sum", "part"}, .outputs = {"next"}});
  body.node({.type = "Add", .inputs = {"next", "offset"}, .outputs = {"collected"}});
  body.output("next");
  body.output("collected");
  for (const int64_t back : {0, 1}) {
    ModelBuilder m(11);
    m.initializer("offset", floats({1}, {100}));
    m.node({.type = "Scan",
            .inputs = {m.constant(floats({2}, {0, 0})), m.constant(floats({2, 3}, {1, 2, 3, 4, 5, 6}))},
            .outputs = {"last", "all"},
            .attributes = {{"body", body},
                           {"num_scan_inputs", 1},
                           {"scan_input_axes", Ints{-1}},
                           {"scan_output_axes", Ints{1}},
                           {"scan_input_directions", Ints{back}},
                           {"scan_output_directions", Ints{back}}},
            .name = "op"});
    m.output("last");
    m.output("all");
    const auto g = prepare(m);
    EXPECT_THAT(values(*g, 0), ElementsAre(6, 15));
    EXPECT_EQ(shape(*g, 1), (Shape{2, 3}));
    EXPECT_THAT(values(*g, 1), back == 0 ? ElementsAre(101, 103, 106, 104, 109, 115)
                                         : ElementsAre(106, 105, 103, 115, 111, 106));
  }
}

TEST_F(OnnxControlFlow, TheFirstScanHasABatch) {
  GraphBuilder body("body");
  body.input("sum", OnnxType::float32, {1});
  body.input("part", OnnxType::float32, {1});
  body.node({.type = "Add", .inputs = {"sum", "part"}, .outputs = {"next"}});
  body.node({.type = "Mul", .inputs = {"next", "factor"}, .outputs = {"collected"}});
  body.output("next");
  body.output("collected");
  ModelBuilder m(8);
  m.input("factor", OnnxType::float32, {1});
  m.node(
      {.type = "Scan",
       .inputs = {"", m.constant(floats({2, 1}, {0, 10})), m.constant(floats({2, 3, 1}, {1, 2, 3, 4, 5, 6}))},
       .outputs = {"last", "all"},
       .attributes = {{"body", body}, {"num_scan_inputs", 1}, {"directions", Ints{1}}},
       .name = "op"});
  m.output("last");
  m.output("all");
  const auto g = prepare(m);
  EXPECT_EQ(type(*g, "op"), "TensorIterator@opset1");
  EXPECT_EQ(shape(*g, 0), (Shape{2, 1}));
  EXPECT_EQ(shape(*g, 1), (Shape{2, 3, 1}));
  ModelBuilder constants(8);
  constants.initializer("factor", floats({1}, {2}));
  constants.node({.type = "Scan",
                  .inputs = {"", constants.constant(floats({2, 1}, {0, 10})),
                             constants.constant(floats({2, 3, 1}, {1, 2, 3, 4, 5, 6}))},
                  .outputs = {"last", "all"},
                  .attributes = {{"body", body}, {"num_scan_inputs", 1}, {"directions", Ints{1}}}});
  constants.output("last");
  constants.output("all");
  EXPECT_THAT(computed(constants, 0), ElementsAre(6, 25));
  EXPECT_THAT(computed(constants, 1), ElementsAre(6, 10, 12, 32, 42, 50));
}

TEST_F(OnnxControlFlow, MistakesAreNamed) {
  ModelBuilder m(13);
  m.input("c", OnnxType::boolean, {});
  m.input("a", OnnxType::float32, {2});
  m.node({.type = "If",
          .inputs = {"c"},
          .outputs = {"y"},
          .attributes = {{"then_branch", branch("Add", "a", "nobody")},
                         {"else_branch", branch("Add", "a", "a")}},
          .name = "op"});
  m.output("y");
  EXPECT_THAT(failure_of(m), AllOf(HasSubstr("'op' (If)"), HasSubstr("'nobody'")));
  ModelBuilder without(13);
  without.input("c", OnnxType::boolean, {});
  without.node({.type = "If", .inputs = {"c"}, .outputs = {"y"}, .name = "op"});
  without.output("y");
  EXPECT_THAT(failure_of(without), HasSubstr("'then_branch' is missing"));
}

}  // namespace mo::test
