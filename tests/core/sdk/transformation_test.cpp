// The classes of mo/transformation.hpp, mo/passes.hpp and mo/replace.hpp, as their authors use them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mo/config.hpp>

#include "tests/core/schedule/lab.hpp"

namespace mo::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <class T>
std::string after(std::string_view text, std::string_view id = "t.t") {
  Lab lab;
  lab.plugin("com.acme", [](Registry& r) { r.transformation<T>(); });
  const auto g = lab.graph(text);
  const std::string failure = test::failure_of([&] { lab.run(*g, id); });
  return failure.empty() ? sketch(*g) : failure;
}

// FrontReplacementOp.

struct ByPorts : FrontReplacementOp {
  ByPorts() { id = "t.t", op = "Old"; }
  std::vector<OutPort> replace_op(Graph g, Node n) override {
    const Node two = g.create_node("Two", "", "two", {n.in_node(0)}, 2);
    const Node one = g.create_node("One", "", "one", {n.in_node(0)});
    return {one, {two, 1}};  // a node, and (node, port)
  }
};

TEST(FrontReplacementOp, NodesAndPortsTakeTheirPlace) {
  EXPECT_EQ(after<ByPorts>(R"(
    %x = Parameter
    %o = Old (%x) -> (_, _)
    Result "r" (%o)
    Result "r1" (%o:1)
  )"),
            "x:Parameter() r:Result(o) r1:Result(two:1) two:Two(x) o:One(x)");
}

struct ByMatch : FrontReplacementOp {
  ByMatch() { id = "t.t", ops = {"Old", "Older"}; }
  void replace_sub_graph(Graph, Match& m) override {
    EXPECT_EQ(m["op"], m.root());
    EXPECT_THAT(m.nodes(), ElementsAre(m.root()));
    EXPECT_TRUE(m.has("op"));
    EXPECT_FALSE(m.has("other"));
    EXPECT_THROW(m["other"], Error);
    m["op"].set_op("New", "");
  }
};

TEST(FrontReplacementOp, ReplaceSubGraphIsGivenTheNode) {
  EXPECT_EQ(after<ByMatch>("%x = Parameter\n%o = Old (%x)\n%p = Older (%o)\nResult \"r\" (%p)"),
            "x:Parameter() o:New(x) p:New(o) r:Result(p)");
}

struct DoesNothing : FrontReplacementOp {
  DoesNothing() { id = "t.t", op = "Old"; }
};

TEST(FrontReplacementOp, NeedsOneOfTheTwo) {
  EXPECT_THAT(after<DoesNothing>("%x = Parameter\n%o = Old (%x)\nResult \"r\" (%o)"),
              HasSubstr("transformation 't.t' has neither replace_op nor replace_sub_graph"));
}

// Generate_sub_graph.

struct ByParts : FrontReplacementSubgraph {
  ByParts() { id = "t.t"; }
  SubgraphPattern pattern() override {
    return {{{"a", wrap_type({"A"})}, {"b", wrap_type({"B"})}, {"c", wrap_type({"C"})}},
            {edge("a", "b").in(0), edge("a", "c").in(0)}};
  }
  NewSubGraph generate_sub_graph(Graph g, Match&) override {
    const Node in = g.create_node("In", "", "in", {OutPort()});
    return {{"in", in}, {"out", g.create_node("Out", "", "out", {in}, 2)}};
  }
  InputEdges input_edges_match(Graph, Match& m, const NewSubGraph& made) override {
    return {{m["a"].in_port(0), made.at("in").in_port(0)}};
  }
  OutputEdges output_edges_match(Graph, Match& m, const NewSubGraph& made) override {
    return {{m["b"].out_port(), made.at("out").out_port(0)}, {m["c"].out_port(), {made.at("out"), 1}}};
  }
};
struct ByPartsKeeping : ByParts {
  std::vector<Node> nodes_to_remove(Graph, Match& m) override { return {m["b"], m["c"]}; }
};
struct ByPartsUnconnected : ByParts {
  OutputEdges output_edges_match(Graph, Match&, const NewSubGraph&) override { return {}; }
  std::vector<Node> nodes_to_remove(Graph, Match&) override { return {}; }
};

constexpr std::string_view fork = R"(
  %x = Parameter
  %a = A (%x)
  %b = B "b" (%a) -> _ names("tb")
  %c = C "c" (%a)
  Result "r" (%b)
  Result "r1" (%c)
)";

TEST(FrontReplacementSubgraph, PartsAreConnectedAndTheOldOnesGo) {
  EXPECT_EQ(after<ByParts>(fork), "x:Parameter() r:Result(b) r1:Result(b:1) in:In(x) b:Out(in)");
}

TEST(FrontReplacementSubgraph, NodesToRemove) {
  EXPECT_EQ(after<ByPartsKeeping>(fork),
            "x:Parameter() a:A(x) r:Result(b) r1:Result(b:1) in:In(x) b:Out(in)");
  EXPECT_EQ(after<ByPartsUnconnected>(fork),
            "x:Parameter() a:A(x) b:B(a) c:C(a) r:Result(b) r1:Result(c) in:In(x) out:Out(in)");
}

struct PatternAlone : FrontReplacementPattern {
  PatternAlone() { id = "t.t"; }
  SubgraphPattern pattern() override { return {{{"a", wrap_type({"A"})}}, {}}; }
};
struct SubgraphAlone : FrontReplacementSubgraph {
  SubgraphAlone() { id = "t.t"; }
  SubgraphPattern pattern() override { return {{{"a", wrap_type({"A"})}}, {}}; }
};
struct NothingAtAll : MiddleReplacementPattern {
  NothingAtAll() { id = "t.t"; }
};

TEST(ReplacementPattern, SaysWhatIsMissing) {
  EXPECT_THAT(after<PatternAlone>(fork), HasSubstr("has a pattern but no replace_sub_graph"));
  EXPECT_THAT(after<SubgraphAlone>(fork), HasSubstr("has neither replace_sub_graph nor generate_sub_graph"));
  EXPECT_THAT(after<NothingAtAll>(fork), HasSubstr("has neither a pattern nor find_and_replace_pattern"));
}

// The pattern of a transformation lives as long as it does: its predicates are asked at each match.
struct ByPredicate : BackReplacementPattern {
  ByPredicate() { id = "t.t"; }
  static Pattern with_k(int64_t k) {
    return wrap_type({"A"})->where<int64_t>("k", [k](const int64_t& v) { return v == k; });
  }
  SubgraphPattern pattern() override {
    return {{{"one", with_k(1)}, {"two", with_k(2)}}, {edge("one", "two")}};
  }
  void replace_pattern(Graph, Match& m) override { m["two"].set_op("Seen", ""); }
};

TEST(ReplacementPattern, PredicatesOfAttributes) {
  EXPECT_EQ(after<ByPredicate>(R"(
    %x = Parameter
    %a = A (%x) {k=1}
    %b = A (%a) {k=2}
    %c = A (%b) {k=1}
    %d = A (%c)
    Result "r" (%d)
  )"),
            "x:Parameter() a:A(x) b:Seen(a) c:A(b) d:A(c) r:Result(d)");
}

// GraphRewrite and Manager.

struct Rename : MatcherPass {
  Rename(std::string id_, std::string from, std::string to) {
    id = std::move(id_);
    register_matcher(wrap_type({from}), [this, to](Graph, Match& m) {
      m.root().set_op(to, "");
      register_new_node(m.root());
    });
  }
};
struct Chain : GraphRewrite {
  Chain() {
    id = "t.chain";
    run_before = {"front.finish"};
    frameworks = {"toy"};
    add_matcher<Rename>("t.one", "B", "C");
    add_matcher<Rename>("t.two", "A", "B");
  }
  bool graph_condition(Graph g) override { return !g.find("never").has_value(); }
};
struct RunsChain : ModelPass {
  RunsChain() { id = "t.t"; }
  void run_on_model(Graph g) override { Manager(g.context()).register_pass<Chain>().run_passes(g); }
};
struct RunsUnknown : ModelPass {
  RunsUnknown() { id = "t.t"; }
  void run_on_model(Graph g) override { Manager(g.context()).register_pass("t.none").run_passes(g); }
};

TEST(GraphRewrite, RegistersItsMatchersAsOneGroup) {
  Lab lab;
  lab.plugin("com.acme", [](Registry& r) { r.transformation<Chain>(); });
  for (const char* id : {"t.one", "t.two"}) {
    EXPECT_EQ(lab[id].group, "t.chain");
    EXPECT_THAT(lab[id].run_before, ElementsAre("front.finish"));
    EXPECT_THAT(lab[id].frameworks, ElementsAre("toy"));
  }
}

TEST(GraphRewrite, ItsConditionIsThatOfEach) {
  Lab lab;
  lab.plugin("com.acme", [](Registry& r) { r.transformation<Chain>(); });
  const auto yes = lab.graph("%x = Parameter\n%a = B (%x)\nResult \"r\" (%a)");
  EXPECT_EQ(lab.run(*yes, "t.one").matches, 1U);
  const auto no = lab.graph("%x = Parameter \"never\"\n%a = B (%x)\nResult \"r\" (%a)");
  EXPECT_EQ(lab.run(*no, "t.one").matches, 0U);
}

TEST(Manager, RunsInTheOrderOfRegistration) {
  Lab lab;
  lab.plugin("com.acme", [](Registry& r) {
    r.transformation<Chain>();
    r.transformation<RunsChain>();
  });
  const auto g = lab.graph("%x = Parameter\n%a = A (%x)\n%b = B (%a)\nResult \"r\" (%b)");
  lab.run(*g, "t.t");
  EXPECT_EQ(sketch(*g), "x:Parameter() a:B(x) b:C(a) r:Result(b)");
  EXPECT_THAT(after<RunsUnknown>("%x = Parameter\nResult \"r\" (%x)"),
              HasSubstr("there is no transformation 't.none'"));
}

// A matcher runs its group on a body before what comes after the node in the graph is looked at.
struct Body : MatcherPass {
  Body() : MatcherPass(MO_PHASE_FRONT) {
    id = "t.body";
    group = "t.group";
    register_matcher(wrap_type({"Loop"}), [](Graph g, Match& m) {
      Manager(g.context())
          .register_pass("t.group")
          .run_passes(Graph(g.context(), m.root().attr<GraphHandle>("body").id));
    });
  }
};
struct Numbered : MatcherPass {
  static inline int count = 0;
  Numbered(std::string id_, std::string from) : MatcherPass(MO_PHASE_FRONT) {
    id = std::move(id_);
    group = "t.group";
    register_matcher(wrap_type({from}), [](Graph, Match& m) { m.root().set_op(text("N", count++), ""); });
  }
};

TEST(Manager, RunsTheGroupOfAMatcherOnABody) {
  const auto numbered = [](const std::vector<std::string>& disabled) {
    Lab lab;
    lab.plugin("com.acme", [](Registry& r) {
      r.transformation<Body>();
      r.transformation<Numbered>("t.a", "A");
      r.transformation<Numbered>("t.b", "B");
    });
    const auto g = lab.graph(R"(
      %x = Parameter
      %a = A (%x)
      %l = Loop (%a) {body=graph "inner" {
        %p = Parameter
        %b = B (%p)
        %c = A (%b)
        Result "s" (%c)
      }}
      %d = B (%l)
      Result "r" (%d)
    )");
    Numbered::count = 0;
    core::run_phase(lab.session, *g, core::make_schedule(lab.session, {"", {}, disabled}), MO_PHASE_FRONT);
    return sketch(*g) + " | " + sketch(*g->bodies()[0]);
  };
  EXPECT_EQ(
      numbered({}),
      "x:Parameter() a:N0(x) l:Loop(a) d:N3(l) r:Result(d) | p:Parameter() b:N1(p) c:N2(b) s:Result(c)");
  EXPECT_EQ(numbered({"t.b"}),
            "x:Parameter() a:N0(x) l:Loop(a) d:B(l) r:Result(d) | p:Parameter() b:B(p) c:N1(b) s:Result(c)");
}

// Renames the first A, and counts how often it is asked.
struct Counts : ModelPass {
  static inline int runs = 0;
  Counts() { id = "t.counts"; }
  void run_on_model(Graph g) override {
    ++runs;
    const auto found = g.get_op_nodes("A");
    if (!found.empty()) found.front().set_op("B", "");
  }
};
struct RunsCounts : ModelPass {
  RunsCounts() { id = "t.t"; }
  void run_on_model(Graph g) override {
    Manager all(g.context());
    for (int i = 0; i < 5; ++i) all.register_pass<Counts>();
    all.run_passes(g);
  }
};

TEST(Manager, WhatFoundNothingIsNotAskedAgainUntilSomethingChanges) {
  Lab lab;
  lab.plugin("com.acme", [](Registry& r) {
    r.transformation<Counts>();
    r.transformation<RunsCounts>();
  });
  const auto g = lab.graph("%x = Parameter\n%a = A (%x)\n%b = A (%a)\nResult \"r\" (%b)");
  Counts::runs = 0;
  lab.run(*g, "t.t");
  EXPECT_EQ(sketch(*g), "x:Parameter() a:B(x) b:B(a) r:Result(b)");
  EXPECT_EQ(Counts::runs, 3);  // a, b, nothing
  lab.run(*g, "t.t");
  EXPECT_EQ(Counts::runs, 3);
  g->rename(g->find("b"), "c");
  lab.run(*g, "t.t");
  EXPECT_EQ(Counts::runs, 4);  // asked again, once
}

struct AppliesByHand : ModelPass {
  AppliesByHand() { id = "t.t"; }
  void run_on_model(Graph g) override {
    Rename pass("t.unregistered", "A", "B");
    EXPECT_TRUE(pass.apply(*g.find("a")));
    EXPECT_THAT(pass.new_nodes(), ElementsAre(*g.find("a")));
    EXPECT_FALSE(pass.apply(*g.find("b")));
    EXPECT_TRUE(pass.new_nodes().empty());
  }
};

TEST(MatcherPass, OnOneNode) {
  EXPECT_EQ(after<AppliesByHand>("%x = Parameter\n%a = A (%x)\n%b = B (%a)\nResult \"r\" (%b)"),
            "x:Parameter() a:B(x) b:B(a) r:Result(b)");
}

// Runtime info.

std::string rt_of(const core::Graph& g, std::string_view node) {
  std::string s;
  for (const auto& [key, value] : g.rt_info(g.find(node)).items())
    append_text(s, text(s.empty() ? "" : " ", g.symbols().text(key), "=", std::get<std::string>(value)));
  return s;
}

TEST(RuntimeInfo, ReplacesThatOfDestinationsUnlessTheyAreSources) {
  Lab lab;
  lab.plugin("com.acme", [](Registry& r) {
    r.transformation<OnGraph>("t.drop", [](Graph g) {
      copy_runtime_info({*g.find("a")}, {*g.find("b"), *g.find("c")});
    });
    r.transformation<OnGraph>("t.keep", [](Graph g) {
      copy_runtime_info({*g.find("a"), *g.find("b")}, {*g.find("b"), *g.find("c")});
    });
  });
  constexpr std::string_view text = R"(
    %x = Parameter
    %a = A (%x) rt {one="a"}
    %b = A (%a) rt {two="b"}
    %c = A (%b) rt {three="c"}
    Result "r" (%c)
  )";
  auto g = lab.graph(text);
  lab.run(*g, "t.drop");
  EXPECT_EQ(rt_of(*g, "a"), "one=a");
  EXPECT_EQ(rt_of(*g, "b"), "one=a");
  EXPECT_EQ(rt_of(*g, "c"), "one=a");
  g = lab.graph(text);
  lab.run(*g, "t.keep");
  EXPECT_EQ(rt_of(*g, "b"), "one=a two=b");
  EXPECT_EQ(rt_of(*g, "c"), "one=a two=b");
}

// What configuration files start.

struct General : FrontReplacementFromConfigFileGeneral {
  General() { replacement_id = "TFYOLO"; }
  void transform_graph(Graph, const Json&) override {}
};
struct Scope : FrontReplacementFromConfigFileSubGraph {
  Scope() { replacement_id = "ScopeReplacement"; }
};
struct TwoIds : FrontReplacementFromConfigFileSubGraph {
  TwoIds() { id = "t.t", replacement_id = "Other"; }
};
struct NoId : FrontReplacementFromConfigFileGeneral {
  void transform_graph(Graph, const Json&) override {}
};

TEST(ConfigTransformation, IsRegisteredByTheIdOfItsEntry) {
  Lab lab;
  lab.plugin("com.acme", [](Registry& r) {
    r.transformation<General>();
    r.transformation<Scope>();
  });
  EXPECT_EQ(lab["TFYOLO"].kind, MO_TRANSFORM_CONFIG_GENERAL);
  EXPECT_EQ(lab["ScopeReplacement"].kind, MO_TRANSFORM_CONFIG_SCOPE);
  EXPECT_EQ(lab["TFYOLO"].phase, MO_PHASE_FRONT);
}

TEST(ConfigTransformation, HasOneId) {
  Lab lab;
  EXPECT_THAT(test::failure_of([&] { lab.plugin("com.a", [](Registry& r) { r.transformation<TwoIds>(); }); }),
              HasSubstr("found by its id, so leave id empty"));
  EXPECT_THAT(test::failure_of([&] { lab.plugin("com.b", [](Registry& r) { r.transformation<NoId>(); }); }),
              HasSubstr("has no replacement_id"));
}

}  // namespace
}  // namespace mo::test
