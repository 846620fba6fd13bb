// Bodies that mo/bodies.hpp puts together, and how their ports are connected with those of the operation.
#include <mo/bodies.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failure_of.hpp"
#include "tests/core/schedule/lab.hpp"

namespace mo::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Lines = std::vector<std::string>;

class BodyBuilderTest : public ::testing::Test {
 protected:
  void edit(const std::function<void(Graph)>& f) {
    lab_.plugin("com.acme", [&](Registry& r) {
      r.transformation<OnGraph>("t.t", f, [](Transformation& t) { t.run_not_recursively = true; });
    });
    graph_ = lab_.graph(R"(
      %x = Parameter -> f32[5,2]
      %s = Parameter -> f32[1,2]
      %c = Parameter -> boolean[]
      Result (%x)
      Result (%s)
      Result (%c)
    )");
    failure_ = test::failure_of([&] { lab_.run(*graph_, "t.t"); });
  }
  static OutPort at(const Graph& g, std::string_view name) {
    const auto n = g.find(name);
    require(n.has_value(), "there is no node '", name, "'");
    return n->out_port();
  }

  Lab lab_;
  core::GraphPtr graph_;
  std::string failure_;
};

TEST_F(BodyBuilderTest, ParametersAndResultsAreNumberedAsTheyAreMade) {
  edit([&](Graph g) {
    BodyBuilder body(g.create_sub_graph("steps"));
    const OutPort x = body.in("in_", at(g, "x"), Slices{0, true}), s = body.in("in_", at(g, "s")),
                  half = body.in("half", at(g, "s"), {}, ElementType::f16);
    const OutPort sum = body.graph().create_node("Add", "opset1", "sum", {x, s}).out_port();
    EXPECT_EQ(body.out("out_", sum), 0);
    EXPECT_EQ(body.out("out_", half, 0, Slices{1}), 1);
    EXPECT_EQ(body.out("last", sum, 1), 2);
    body.next(0, s);
    body.next(2, 2);
    const Node n = g.create_node("TensorIterator", "opset1", "loop", body.inputs(), 2);
    body.set(n);
    EXPECT_EQ(n.in_port(1).get_source(), at(g, "s"));
    EXPECT_THAT(n.attr<Lines>("port_map"),
                ElementsAre("in 0 -> 0 axis=0 start=-1 end=0 stride=-1", "in 1 -> 1", "in 2 -> 2",
                            "out 0 <- 1 axis=1", "out 1 <- 2"));
    EXPECT_THAT(n.attr<std::vector<int64_t>>("back_edges"), ElementsAre(0, 1, 2, 2));
    EXPECT_EQ(x.node().name(), "in_0");
    EXPECT_EQ(s.node().name(), "in_1");
    EXPECT_EQ(half.node().name(), "half");
    EXPECT_EQ(x.type(), ElementType::f32);
    EXPECT_EQ(half.node().attr<ElementType>("element_type"), ElementType::f16);
    const auto results = body_of(n).results();
    ASSERT_EQ(results.size(), 3U);
    EXPECT_EQ(results[1].name(), "out_1");
    EXPECT_EQ(results[2].name(), "last");
  });
  EXPECT_EQ(failure_, "");
}

TEST_F(BodyBuilderTest, WhatTheOperationReadsItselfComesFirst) {
  edit([&](Graph g) {
    const OutPort count = g.create_int("count", 3).out_port();
    BodyBuilder loop(g.create_sub_graph("body"), {count, at(g, "c")});
    const OutPort s = loop.in("s", at(g, "s"));
    loop.condition(loop.graph().create_const("go", Tensor::scalar<bool>(g.context(), true)).out_port());
    loop.next(loop.out("next", s, 0), s);
    const Node n = g.create_node("Loop", "opset5", "loop", loop.inputs(), 1);
    loop.set(n);
    EXPECT_THAT(n.attr<Lines>("port_map"),
                ElementsAre("in 2 -> 0", "out -1 <- 0 purpose=execution_condition", "out 0 <- 1"));

    // Both branches share what they read.
    const Node choice = g.create_node("If", "opset8", "if", {at(g, "c"), at(g, "s")}, 1);
    for (const char* side : {"then_", "else_"}) {
      BodyBuilder branch(g.create_sub_graph(side));
      branch.out("y", branch.parameter("s", 1, ElementType::f32), 0);
      branch.set(choice, side);
      EXPECT_THAT(port_map_of(choice, side), ElementsAre(input_entry(1, 0), output_entry(0, 0)));
      EXPECT_EQ(body_of(choice, side).name(), side);
    }
    EXPECT_FALSE(choice.has("then_back_edges"));
  });
  EXPECT_EQ(failure_, "");
}

TEST_F(BodyBuilderTest, ABodyThatIsThereIsGoneOnWith) {
  edit([&](Graph g) {
    const Graph made = g.create_sub_graph("made");
    const OutPort p = made.create_node("Parameter", "opset1", "p").out_port();
    BodyBuilder first(made, {at(g, "c")});
    first.take(p, at(g, "s"));
    const Node n = g.create_node("If", "opset8", "if", first.inputs(), 1);
    first.set(n, "then_");
    EXPECT_THAT(n.attr<Lines>("then_port_map"), ElementsAre("in 1 -> 0"));

    BodyBuilder more(n, "then_");
    EXPECT_EQ(more.graph().id(), made.id());
    more.connect(output_entry(0, more.out("y", p)));
    more.set(n, "then_");
    EXPECT_THAT(n.attr<Lines>("then_port_map"), ElementsAre("in 1 -> 0", "out 0 <- 0"));

    BodyBuilder other(g.create_sub_graph("other"));
    other.next(other.out("y", other.in("x", at(g, "x"))), p);
  });
  EXPECT_THAT(failure_, HasSubstr("a state is no Parameter that the body was given"));
}

}  // namespace
}  // namespace mo::test
