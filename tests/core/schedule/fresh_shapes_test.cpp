// Whoever asks for a shape, type or value gets the true one, and nobody pays for what is not asked for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/infer/infer.hpp"
#include "tests/core/schedule/lab.hpp"

namespace mo::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> infer_log;  // by the operation below, since the test looked last

struct Grower {  // makes its input `grow` times as long
  static constexpr std::string_view type = "Grower", opset = "test";
  static void schema(OpSchema& s) { s.inputs(1).attr("grow", 1); }
  static void infer(InferContext& c) {
    infer_log.push_back(c.node().name());
    const Shape in = c.shape(0);
    c.require(in.has_rank() && in.size() == 1, "it needs a vector");
    c.output(0, c.type(0), Shape{in[0] * Dim(c.attr<int64_t>("grow"))});
  }
  static void evaluate(EvalContext& c) { c.output(0, c.input(0)); }
};

struct Caller {  // its body from the input to the output
  static constexpr std::string_view type = "Caller", opset = "test";
  static void schema(OpSchema& s) { s.inputs(1).attr<GraphHandle>("body"); }
  static void infer(InferContext& c) {
    infer_log.push_back(c.node().name());
    const Graph body(c.context(), c.attr<GraphHandle>("body").id);
    body.parameters().at(0).out_port().set_shape(c.type(0), c.shape(0));
    body.infer_all();
    const OutPort from = body.results().at(0).in_port(0).get_source();
    c.output(0, from.type(), from.shape());
  }
};

constexpr std::string_view grower_chain = R"(
  %x = Parameter {element_type=f32, shape=shape[4]}
  %a = Grower@test (%x)
  %b = Grower@test (%a)
  %c = Grower@test (%b)
  %other = Grower@test (%x)
  Result "r" (%c)
  Result "s" (%other)
)";

class FreshShapesTest : public ::testing::Test {
 protected:
  void prepare(std::string_view text, const Lab::Register& more) {
    lab_.plugin("com.acme", [&](Registry& r) {
      r.operation<Grower>();
      r.operation<Caller>();
      more(r);
    });
    graph_ = lab_.graph(text);
    core::infer_all(lab_.session, *graph_);
    infer_log.clear();
  }
  core::RunStatistics run(std::string_view id = "t.t") { return lab_.run(*graph_, id); }
  void run_on(std::string_view text, const OnGraph::Body& f) {
    prepare(text, [&](Registry& r) { r.transformation<OnGraph>("t.t", f); });
    run();
  }
  // Nobody: an empty node.
  static Node holder_of(const Graph& g) {
    mo_node n = 0;
    g.context().check(g.context().graph().parent(g.context().get(), g.id(), &n));
    return {g.context(), n};
  }
  Shape shape(std::string_view node) const { return graph_->out({graph_->find(node), 0}).tensor.shape; }
  static Shape asked(const Graph& g, std::string_view node) { return g.find(node)->out_port().shape(); }

  Lab lab_;
  core::GraphPtr graph_;
};

TEST_F(FreshShapesTest, TheRestOfTheCallbackSeesWhatAnEditMakes) {
  run_on(grower_chain, [](Graph g) {
    g.find("a")->set("grow", 3);
    EXPECT_EQ(asked(g, "c"), Shape{12});
    EXPECT_THAT(infer_log, ElementsAre("a", "b", "c"));
    EXPECT_EQ(asked(g, "b"), Shape{12});
    g.find("b")->set("grow", 2);
    EXPECT_EQ(asked(g, "a"), Shape{12});
    EXPECT_EQ(infer_log.size(), 3U) << "nothing before the edit has changed";
    EXPECT_EQ(g.find("c")->in_port(0).shape(), Shape{24});
    EXPECT_THAT(infer_log, ElementsAre("a", "b", "c", "b"));
  });
  EXPECT_TRUE(graph_->has_marked()) << "c was not asked for";
}

TEST_F(FreshShapesTest, TheNextTransformationSeesIt) {
  Shape seen;
  prepare(grower_chain, [&](Registry& r) {
    r.transformation<OnGraph>("t.edits", [](Graph g) { g.find("a")->set("grow", 3); });
    r.transformation<OnGraph>("t.looks", [&](Graph g) { seen = asked(g, "c"); });
  });
  run("t.edits");
  EXPECT_THAT(infer_log, IsEmpty());
  const auto looks = run("t.looks");
  EXPECT_EQ(seen, Shape{12});
  EXPECT_EQ(looks.edits, 0U) << "to ask is not an edit";
}

TEST_F(FreshShapesTest, OnlyWhatIsAskedForIsInferred) {
  run_on(grower_chain, [](Graph g) {
    g.find("x")->set("shape", Shape{5});
    EXPECT_EQ(asked(g, "other"), Shape{5});
    EXPECT_THAT(infer_log, ElementsAre("other"));
    EXPECT_EQ(asked(g, "a"), Shape{5});
    EXPECT_THAT(infer_log, ElementsAre("other", "a"));
  });
}

TEST_F(FreshShapesTest, PredicatesSeeItToo) {
  int matched = 0;
  prepare(grower_chain, [&](Registry& r) {
    r.transformation<OnGraph>("t.edits", [](Graph g) { g.find("a")->set("grow", 3); });
    const auto long_ones =
        wrap_type({"test::Grower"}, {any_input()}, [](const OutPort& p) { return p.shape() == Shape{12}; });
    r.transformation<OnTree>("t.t", long_ones, [&](OnTree&, Graph, Match&) { ++matched; });
  });
  run("t.edits");
  run();
  EXPECT_EQ(matched, 3);
}

TEST_F(FreshShapesTest, TypesOfAPatternAreTrue) {
  int matched = 0;
  prepare(grower_chain, [&](Registry& r) {
    r.transformation<OnGraph>("t.edits", [](Graph g) { g.find("x")->set("element_type", ElementType::f16); });
    const SubgraphPattern p{{{"n", wrap_type({"test::Grower"})->with("type", ElementType::f16)}}, {}};
    r.transformation<OnSubgraph>("t.t", p, [&](Graph, Match&) { ++matched; });
  });
  run("t.edits");
  run();
  EXPECT_EQ(matched, 4);
}

TEST_F(FreshShapesTest, ValuesAreTrue) {
  run_on("%k = Const -> i64[2] {1,2}\n %a = Grower@test (%k)\n Result (%a)", [](Graph g) {
    const Node other = g.create_const("other", Tensor::vector<int64_t>(g.context(), {7, 8, 9}));
    EXPECT_EQ(g.find("a")->out_port().value()->to_ints(), (std::vector<int64_t>{1, 2}));
    g.find("a")->in_port(0).set_source(other.out_port());
    EXPECT_EQ(g.find("a")->out_port().value()->to_ints(), (std::vector<int64_t>{7, 8, 9}));
  });
}

// What was handed out stays as it was, although another question has changed what the graph knows.
TEST_F(FreshShapesTest, DescriptionsAreBorrowedUntilTheirNodeIsEdited) {
  run_on(grower_chain, [](Graph g) {
    const Context c = g.context();
    const mo_tensor_desc* before = nullptr;
    c.check(c.graph().desc(c.get(), g.find("c")->out_port().abi(), &before));
    g.find("a")->set("grow", 3);
    EXPECT_EQ(asked(g, "c"), Shape{12});
    EXPECT_EQ(Shape(before->shape), Shape{4});
  });
}

// Asked in turn, so that no question is that before: nothing is kept for each.
TEST_F(FreshShapesTest, DescriptionsOfEqualTensorsAreOneWhileAsked) {
  run_on(
      "%x = Parameter -> f32[4]\n %k = Const -> f32[4] {1,2,3,4}\n %a = Grower@test (%x)\n"
      " %b = Grower@test (%a)\n Result (%b)\n Result (%k)",
      [](Graph g) {
        const Context c = g.context();
        const auto described = [&](std::string_view name) {
          const mo_tensor_desc* d = nullptr;
          c.check(c.graph().desc(c.get(), g.find(name)->out_port().abi(), &d));
          return d;
        };
        const mo_tensor_desc *x = described("x"), *k = described("k");
        EXPECT_NE(x, k);
        EXPECT_NE(k->value, nullptr);
        for (int i = 0; i < 3; ++i) {
          EXPECT_EQ(described("a"), x);
          EXPECT_EQ(described("k"), k);
          EXPECT_EQ(described("b"), x);
        }
        g.find("a")->set("grow", 3);
        EXPECT_EQ(Shape(described("b")->shape), Shape{12});
        EXPECT_EQ(Shape(x->shape), Shape{4});
      });
}

TEST_F(FreshShapesTest, WhatCannotBeInferredYetIsUnknownAndMendsItself) {
  run_on(grower_chain, [](Graph g) {
    const Node made = g.create_node("Grower", "test", "made", {OutPort()});
    g.find("c")->in_port(0).set_source(made.out_port());
    EXPECT_FALSE(asked(g, "made").has_rank());
    EXPECT_FALSE(asked(g, "c").has_rank());
    made.in_port(0).set_source(g.find("a")->out_port());
    EXPECT_EQ(asked(g, "c"), Shape{4});
  });
}

TEST_F(FreshShapesTest, ACycleOnTheWayIsNoEndlessLoop) {
  run_on(grower_chain, [](Graph g) {
    const OutPort before = g.find("a")->in_port(0).get_source();
    g.find("a")->in_port(0).set_source(g.find("c")->out_port());
    (void)asked(g, "b");
    g.find("a")->in_port(0).set_source(before);
    EXPECT_EQ(asked(g, "c"), Shape{4});
  });
}

// Declined, with questions before and after the edits: everything is as it was, and stays true.
TEST_F(FreshShapesTest, TakingBackTakesBackWhatWasInferredFromIt) {
  int runs = 0;
  prepare(grower_chain, [&](Registry& r) {
    r.transformation<OnOp>("t.t", std::vector<std::string>{"Grower"},
                           [&](Graph g, Node n) -> std::vector<OutPort> {
                             ++runs;
                             const Shape before = asked(g, "c");
                             EXPECT_EQ(before, Shape{4}) << n.name();
                             n.set("grow", 3);
                             if (n.name() == "c") {
                               g.find("c")->in_port(0).set_source(g.find("x")->out_port());
                               EXPECT_EQ(asked(g, "c"), Shape{12});
                             }
                             if (n.name() != "other") {
                               EXPECT_EQ(asked(g, "c"), Shape{12}) << n.name();
                             }
                             decline("no");
                             return {};
                           });
    r.transformation<OnGraph>("t.looks", [&](Graph g) { EXPECT_EQ(asked(g, "c"), Shape{4}); });
  });
  const std::string before = app::to_text(*graph_);
  run();
  EXPECT_EQ(runs, 4);
  run("t.looks");
  core::infer_marked(lab_.session, *graph_);
  EXPECT_EQ(app::to_text(*graph_), before);
}

// An edit of a kept candidate is still to be infer_log when a later one asks, and is declined.
TEST_F(FreshShapesTest, TakingBackKeepsTheMarksOfEarlierEdits) {
  prepare(grower_chain, [&](Registry& r) {
    r.transformation<OnGraph>("t.edits", [](Graph g) { g.find("b")->set("grow", 2); });
    r.transformation<OnGraph>("t.t", [](Graph g) {
      g.find("b")->in_port(0).set_source(g.find("x")->out_port());
      g.find("b")->set("grow", 5);
      EXPECT_EQ(asked(g, "c"), Shape{20});
      decline("no");
    });
    r.transformation<OnGraph>("t.looks", [&](Graph g) { EXPECT_EQ(asked(g, "c"), Shape{8}); });
  });
  run("t.edits");
  run();
  run("t.looks");
}

constexpr std::string_view with_body = R"(
  %x = Parameter {element_type=f32, shape=shape[4]}
  %a = Grower@test (%x)
  %call = Caller@test (%a) {body=graph "body" {
    %p = Parameter
    %q = Grower@test (%p)
    Result "out" (%q)
  }}
  %end = Grower@test (%call)
  Result "r" (%end)
)";

TEST_F(FreshShapesTest, EditsOfABodyReachTheNodeThatHoldsIt) {
  run_on(with_body, [](Graph g) {
    const Node holder = holder_of(g);
    if (!holder) return;
    g.find("q")->set("grow", 3);
    EXPECT_EQ(asked(g, "q"), Shape{12});
    EXPECT_THAT(infer_log, ElementsAre("q")) << "the body alone";
    EXPECT_EQ(asked(holder.graph(), "end"), Shape{12});
  });
  core::infer_marked(lab_.session, *graph_);
  EXPECT_EQ(shape("end"), Shape{12});
  EXPECT_FALSE(graph_->has_marked());
}

TEST_F(FreshShapesTest, EditsAroundABodyReachIt) {
  run_on(with_body, [](Graph g) {
    if (holder_of(g)) {
      EXPECT_EQ(asked(g, "q"), Shape{8});
      return;
    }
    g.find("a")->set("grow", 2);
  });
}

TEST_F(FreshShapesTest, ThePhaseEndsWithEditsOfBodiesInferred) {
  prepare(with_body, [&](Registry& r) {
    r.transformation<OnGraph>("t.t", [](Graph g) {
      if (holder_of(g)) g.find("q")->set("grow", 3);
    });
  });
  core::run_phase(lab_.session, *graph_, core::make_schedule(lab_.session, {}), MO_PHASE_MIDDLE);
  EXPECT_EQ(shape("end"), Shape{12});
}

TEST_F(FreshShapesTest, AManagerSeesItFromPassToPass) {
  prepare(grower_chain, [&](Registry& r) {
    r.transformation<OnGraph>("t.looks", [](Graph g) { EXPECT_EQ(asked(g, "c"), Shape{12}); });
    r.transformation<OnGraph>("t.edits", [](Graph g) { g.find("a")->set("grow", 3); });
    r.transformation<OnGraph>("t.t", [](Graph g) {
      const Context c = g.context();
      c.check(c.host()->rewrite->run(c.get(), g.id(), str("t.edits")));
      c.check(c.host()->rewrite->run(c.get(), g.id(), str("t.looks")));
    });
  });
  run();
}

}  // namespace
}  // namespace mo::test
