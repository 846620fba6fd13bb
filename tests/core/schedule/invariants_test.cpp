// What a transformation must leave in order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/schedule/invariants.hpp"
#include "tests/core/schedule/lab.hpp"

namespace mo::test {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct TwoInputs {
  static constexpr std::string_view type = "Two", opset = "test";
  static void schema(OpSchema& s) { s.inputs(2, 3); }
  static void infer(InferContext&) {}
};

struct KeepsInput {
  static constexpr std::string_view type = "Keeps", opset = "test";
  static void schema(OpSchema& s) { s.inputs(1).outputs(1).flags(MO_OP_SINK); }
  static void infer(InferContext&) {}
};

class InvariantsTest : public ::testing::Test {
 protected:
  // The message when this edit is made by a transformation; empty when it is fine.
  std::string edit(std::string_view text, const OnGraph::Body& f) {
    Lab lab;
    lab.session.set_option(core::schedule_options::check_graph, false);
    lab.plugin("com.acme", [&](Registry& r) {
      r.operation<TwoInputs>();
      r.transformation<OnGraph>("t.t", f);
    });
    const auto g = lab.graph(text);
    const std::string before = app::to_text(*g);
    const std::string message = test::failure_of([&] { lab.run(*g, "t.t"); });
    if (!message.empty()) {
      EXPECT_EQ(app::to_text(*g), before);
      EXPECT_THAT(message, HasSubstr("t.t"));
      EXPECT_THAT(message, HasSubstr("com.acme"));
    }
    return message;
  }
};

constexpr std::string_view net = R"(
  %x = Parameter
  %a = A (%x, %x, _)
  %b = Two@test (%a, %x, %x)
  %c = C (%b) -> _ names("out", "also")
  Result "r" (%c)
  %dead = D (%a)
)";

TEST_F(InvariantsTest, InputsLeftUnconnected) {
  const auto removed = edit(net, [](Graph g) { g.find("a")->remove(); });
  EXPECT_THAT(removed, HasSubstr("MO0605: input 0 is not connected, and 'r' (Result) depends on it"));
  EXPECT_THAT(removed, HasSubstr("node    'b' (Two)"));
  EXPECT_THAT(removed, HasSubstr("edit "));
  EXPECT_THAT(removed, HasSubstr("disconnect"));
  EXPECT_THAT(edit(net, [](Graph g) { g.find("c")->remove(); }), HasSubstr("'r' (Result)"));
  EXPECT_THAT(edit(net, [](Graph g) { g.find("a")->in_port(1).disconnect(); }),
              HasSubstr("input 1 is not connected"))
      << "nobody defines A, but it had this input";
}

TEST_F(InvariantsTest, InputsThatMayBeUnconnected) {
  EXPECT_THAT(edit(net, [](Graph g) { g.find("b")->in_port(2).disconnect(); }), IsEmpty())
      << "an optional one";
  EXPECT_THAT(edit(net, [](Graph g) { g.find("a")->delete_input_port(1); }), IsEmpty())
      << "taken away for good";
  EXPECT_THAT(edit(net, [](Graph g) { g.find("dead")->in_port(0).disconnect(); }), IsEmpty())
      << "nothing needs it";
  EXPECT_THAT(edit(net, [](Graph g) { g.find("a")->in_port(0).set_source(g.find("x")->out_port()); }),
              IsEmpty());
  EXPECT_THAT(edit(net, [](Graph g) { g.find("a")->rename("other"); }), IsEmpty())
      << "it was unconnected before";
  EXPECT_THAT(edit("%x = Parameter\n%b = Two@test (%x)\nResult (%b)\n",
                   [](Graph g) { g.find("b")->out_port().set_tensor_names({"named"}); }),
              IsEmpty())
      << "the model itself leaves it out";
  EXPECT_THAT(edit(net, [](Graph g) { g.create_node("Two", "test", "", {OutPort()}); }), IsEmpty());
}

// Whoever looks at a constant takes its value for granted.
TEST_F(InvariantsTest, ConstantsWithoutValue) {
  const auto bare = edit(net, [](Graph g) { g.create_node("Const", "opset1", "k", {}, 1); });
  EXPECT_THAT(bare, HasSubstr("MO0605: it is a constant without a value"));
  EXPECT_THAT(bare, HasSubstr("node    'k' (Const)"));
  EXPECT_THAT(edit(net, [](Graph g) { g.create_node("Const", "opset1", "k", {}, 0); }),
              HasSubstr("it is a constant without a value"));
  EXPECT_THAT(edit(net, [](Graph g) { g.create_node("Const", "opset1", "k", {}, 2); }),
              HasSubstr("it is a constant without a value"));
  EXPECT_THAT(edit(net, [](Graph g) { g.create_ints("k", {1, 2}); }), IsEmpty());
  // One that had a value, or that was something else.
  const std::string known = "%k = Const -> i64[2] {1,2}\n%y = Net@test (%k)\nResult (%y)\n";
  const auto emptied =
      edit(known, [](Graph g) { g.find("k")->out_port().set_shape(ElementType::i64, {Dim(2)}); });
  EXPECT_THAT(emptied, HasSubstr("MO0605: it is a constant without a value"));
  EXPECT_THAT(emptied, HasSubstr("node    'k' (Const)"));
  EXPECT_THAT(edit(net, [](Graph g) { g.find("a")->set_op("Const", "opset1"); }),
              HasSubstr("it is a constant without a value"));
  EXPECT_THAT(edit(known, [](Graph g) { g.find("k")->set("note", int64_t{1}); }), IsEmpty());
  EXPECT_THAT(edit(net,
                   [](Graph g) {
                     g.create_node("Const", "opset1", "k", {}, 1)
                         .out_port()
                         .set_value(Tensor::vector<int64_t>(g.context(), std::vector<int64_t>{1}));
                   }),
              IsEmpty());
}

TEST_F(InvariantsTest, LostOutputs) {
  EXPECT_THAT(edit(net, [](Graph g) { g.find("r")->remove(); }),
              HasSubstr("the model had 1 outputs and has 0 now"));
  const auto bare = edit(net, [](Graph g) {
    const Node d = g.create_node("New", "", "", {g.find("b")->out_port()});
    g.find("r")->in_port(0).set_source(d.out_port());
  });
  EXPECT_THAT(bare, HasSubstr("no output of the model has the tensor name 'out', 'also' any more"));
  EXPECT_THAT(edit(net,
                   [](Graph g) {
                     const Node d = g.create_node("New", "", "", {g.find("b")->out_port()});
                     g.find("c")->out_port().get_connection().set_source(d.out_port());
                   }),
              IsEmpty());
  EXPECT_THAT(edit(net, [](Graph g) { g.create_node("Result", "opset1", "", {g.find("a")->out_port()}, 0); }),
              IsEmpty())
      << "one more is not a loss";
}

TEST_F(InvariantsTest, OutputsAreComparedThroughAPhase) {
  Lab lab;
  lab.plugin("com.acme", [&](Registry& r) {
    r.transformation<OnGraph>(
        "t.more", [](Graph g) { g.create_node("Result", "opset1", "r2", {g.find("a")->out_port()}, 0); });
    r.transformation<OnGraph>("t.less", [](Graph g) { g.find("r2")->remove(); });
  });
  const auto g = lab.graph(net);
  const auto message = test::failure_of(
      [&] { core::run_phase(lab.session, *g, core::make_schedule(lab.session, {}), MO_PHASE_MIDDLE); });
  EXPECT_THAT(message, HasSubstr("the model had 2 outputs and has 1 now"));
  EXPECT_THAT(message, HasSubstr("t.less"));
}

// An output that becomes state is kept by what sets the state.
TEST_F(InvariantsTest, AnOutputMayBeKeptByASink) {
  Lab lab;
  lab.plugin("com.acme", [&](Registry& r) {
    r.operation<KeepsInput>();
    r.transformation<OnGraph>("t.keep", [](Graph g) {
      const Node result = g.results().front();
      g.create_node("Keeps", "test", "keeps", {result.in_port(0).get_source()}, 1);
      result.remove();
    });
  });
  const auto g = lab.graph(net);
  EXPECT_EQ(test::failure_of([&] {
              core::run_phase(lab.session, *g, core::make_schedule(lab.session, {}), MO_PHASE_MIDDLE);
            }),
            "");
}

TEST_F(InvariantsTest, TheMatcherOfAGroupThatBrokeItIsBlamed) {
  Lab lab;
  lab.plugin("com.acme", [&](Registry& r) {
    const auto in_group = [](mo::Transformation& t) { t.group = "g"; };
    r.transformation<OnTree>(
        "t.bad", wrap_type({"A"}), [](OnTree&, Graph, Match& m) { m.root().in_port(0).disconnect(); },
        in_group);
    r.transformation<OnTree>(
        "t.good", wrap_type({"C"}), [](OnTree&, Graph, Match& m) { m.root().set("seen", true); }, in_group);
  });
  const auto g = lab.graph(net);
  const auto message = test::failure_of(
      [&] { core::run_phase(lab.session, *g, core::make_schedule(lab.session, {}), MO_PHASE_MIDDLE); });
  EXPECT_THAT(message, HasSubstr("'a' (A)"));
  EXPECT_THAT(message, HasSubstr("pass    t.bad"));
}

// With the plugin, the transformation, the node and the edit, whether levels are known or not.
TEST_F(InvariantsTest, CyclesAreFoundWithTheEditThatClosedThem) {
  const auto close = [](Graph g) {
    g.find("c")->set("harmless", true);
    g.find("a")->in_port(0).set_source(g.find("c")->out_port());
  };
  const auto message = edit(net, close);
  EXPECT_THAT(message, HasSubstr("MO0605: it made a cycle of 3 nodes"));
  EXPECT_THAT(message, HasSubstr("cycle   'a' (A) -> 'b' (Two) -> 'c' (C) -> 'a' (A)"));
  EXPECT_THAT(message, HasSubstr("node    'a' (A)"));
  EXPECT_THAT(message, ContainsRegex("edit    [0-9] of [0-9]: connect of 'a' \\(A\\)"));
  EXPECT_THAT(edit(net, [](Graph g) { g.find("b")->in_port(1).set_source(g.find("b")->out_port()); }),
              HasSubstr("a cycle of 1 node\n"));
}

TEST_F(InvariantsTest, CyclesAreFoundInALaterTransformationAndInBodies) {
  Lab lab;
  lab.session.set_option(core::schedule_options::check_graph, false);
  lab.plugin("com.acme", [&](Registry& r) {
    r.transformation<OnGraph>("t.first", [](Graph g) {
      for (const Node& a : g.nodes("A")) a.in_port(1).set_source(a.in_port(0).get_source());
    });
    r.transformation<OnGraph>("t.second", [](Graph g) {
      if (const auto c = g.find("inner")) c->in_port(0).set_source(c->out_port());
    });
  });
  const auto g = lab.graph(R"(graph "main" {
    %x = Parameter
    %a = A (%x, _)
    %l = Loop (%a) {body=graph "b" {
      %p = Parameter
      %inner = C (%p)
      Result "r" (%inner)
    }}
    Result "q" (%l)
  })");
  const auto message = test::failure_of(
      [&] { core::run_phase(lab.session, *g, core::make_schedule(lab.session, {}), MO_PHASE_MIDDLE); });
  EXPECT_THAT(message, HasSubstr("it made a cycle of 1 node"));
  EXPECT_THAT(message, HasSubstr("node    'inner' (C)"));
  EXPECT_THAT(message, HasSubstr("pass    t.second"));
}

TEST_F(InvariantsTest, AReplacementOfAnotherTypeNamesNodeAndEdit) {
  const auto message = edit(R"(
    %x = Parameter -> f32[2]
    %i = Parameter -> i64[2]
    %a = A (%x) -> f32[2]
    Result "r" (%a)
  )",
                            [](Graph g) {
                              g.find("a")->set("seen", true);
                              replace_node(*g.find("a"), *g.find("i"));
                            });
  EXPECT_THAT(
      message,
      HasSubstr(
          "output 0 of 'i' (Parameter) is i64 [2] and cannot replace output 0 of 'a' (A), which is f32 [2]"));
  EXPECT_THAT(message, HasSubstr("node    'i' (Parameter)"));
  EXPECT_THAT(message,
              ContainsRegex("edit    the last before this is [0-9] of [0-9]: set attribute of 'a' \\(A\\)"));
}

struct OnlyFloats {
  static constexpr std::string_view type = "Floats", opset = "test";
  static void schema(OpSchema& s) { s.inputs(1, 1); }
  static void infer(InferContext& c) {
    if (c.type(0) != ElementType::f32) fail("it takes f32");
    c.output(0, c.type(0), c.shape(0));
  }
};

// Nobody knows before inference, which comes at the end of the phase.
TEST_F(InvariantsTest, ATypeBrokenByABareConnectionIsTracedToItsTransformation) {
  Lab lab;
  lab.plugin("com.acme", [&](Registry& r) {
    r.operation<OnlyFloats>();
    r.transformation<OnGraph>("t.good", [](Graph g) { g.find("f")->set("seen", true); });
    r.transformation<OnGraph>("t.bad",
                              [](Graph g) { g.find("f")->in_port(0).set_source(g.find("i")->out_port()); });
    r.transformation<OnGraph>("t.other", [](Graph g) { g.find("x")->set("seen", true); });
  });
  const auto g = lab.graph(R"(
    %x = Parameter -> f32[2]
    %i = Parameter -> i64[2]
    %f = Floats@test (%x) -> f32[2]
    Result "r" (%f)
  )");
  const auto message = test::failure_of(
      [&] { core::run_phase(lab.session, *g, core::make_schedule(lab.session, {}), MO_PHASE_MIDDLE); });
  EXPECT_THAT(message, HasSubstr("it takes f32"));
  EXPECT_THAT(message, HasSubstr("changed 'f' (Floats), last by t.bad of com.acme: connect"));
}

// What does not end.

TEST_F(InvariantsTest, ACallbackThatEditsForEverIsStopped) {
  Lab lab;
  lab.session.set_option(core::schedule_options::most_edits, int64_t{500});
  lab.plugin("com.acme", [&](Registry& r) {
    r.transformation<OnGraph>("t.t", [](Graph g) {
      for (auto all = g.nodes("A"); !all.empty(); all = g.nodes("A")) {
        const Node& last = all.back();
        g.create_node("A", "", "", {last.out_port()});
      }
    });
  });
  const auto g = lab.graph("%x = Parameter\n %a = A (%x)\n Result \"r\" (%a)");
  const std::string before = app::to_text(*g);
  const auto message = test::failure_of([&] { lab.run(*g, "t.t"); });
  EXPECT_THAT(message, HasSubstr("MO0604: endless loop: one callback has made 50"));
  EXPECT_THAT(message, HasSubstr("pass    t.t"));
  EXPECT_THAT(message, HasSubstr("com.acme"));
  EXPECT_THAT(message, HasSubstr("edit "));
  EXPECT_EQ(app::to_text(*g), before);
}

TEST_F(InvariantsTest, BodiesThatBringBodiesAreStopped) {
  Lab lab;
  lab.plugin("com.acme", [&](Registry& r) {
    r.transformation<OnGraph>("t.t", [](Graph g) {
      const Node n = g.create_node("If", "", "", {}, 1);
      n.set("body", GraphHandle{g.create_sub_graph("b").id()});
    });
  });
  const auto g = lab.graph("%x = Parameter\n Result \"r\" (%x)");
  const auto message = test::failure_of([&] { lab.run(*g, "t.t"); });
  EXPECT_THAT(message, HasSubstr("MO0604: endless loop: it has been run on 1000 bodies"));
  EXPECT_THAT(message, HasSubstr("pass    t.t"));
  EXPECT_THAT(message, HasSubstr("run_not_recursively"));
}

}  // namespace
}  // namespace mo::test
