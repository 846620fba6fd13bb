// Running transformations: what the callbacks' requests do to the graph, and what is taken back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/schedule/lab.hpp"

namespace mo::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class RunTest : public ::testing::Test {
 protected:
  void use(const Lab::Register& r) { lab_.plugin("com.acme", r); }
  void graph(std::string_view text) { graph_ = lab_.graph(text); }
  core::RunStatistics run(std::string_view id) { return lab_.run(*graph_, id); }
  std::string failure(std::string_view id) {
    const std::string before = app::to_text(*graph_);
    std::string message = test::failure_of([&] { run(id); });
    EXPECT_FALSE(message.empty());
    EXPECT_EQ(app::to_text(*graph_), before) << "a failure leaves no trace";
    EXPECT_EQ(graph_->journal(), nullptr);
    return message;
  }
  std::vector<std::string> tensor_names(std::string_view node, uint32_t port = 0) const {
    std::vector<std::string> names;
    for (core::Symbol s : graph_->out({graph_->find(node), port}).names)
      names.emplace_back(graph_->symbols().text(s));
    return names;
  }
  Lab lab_;
  core::GraphPtr graph_;
};

// Replacements.

std::vector<OutPort> by_two_nodes(Graph g, Node n) {
  const Node a = g.create_node("Half", "", n.name() + "/half", {n.in_port(0).get_source()});
  const Node b = g.create_node("Twice", "", n.name() + "/twice", {a.out_port()});
  return {b.out_port()};
}

TEST_F(RunTest, AReplacementTakesDestinationsNamesAndRtInfo) {
  use([](Registry& r) { r.transformation<OnOp>("t.t", std::vector<std::string>{"Old"}, by_two_nodes); });
  graph(R"(
    %x = Parameter
    %y = Old "thing" (%x) rt {fused="a", kept=1} -> _ names("t1","t2")
    %z = Relu (%y)
    Result "r1" (%y)
    Result "r2" (%z)
  )");
  const auto s = run("t.t");
  EXPECT_EQ(
      sketch(*graph_),
      "x:Parameter() z:Relu(thing) r1:Result(thing) r2:Result(z) thing/half:Half(x) thing:Twice(thing/half)");
  EXPECT_THAT(tensor_names("thing"), ElementsAre("t1", "t2"));
  EXPECT_EQ(graph_->rt_info(graph_->find("thing")).items().size(), 2U);
  EXPECT_EQ(graph_->rt_info(graph_->find("thing/half")).items().size(), 0U);
  EXPECT_EQ(s.matches, 1U);
  EXPECT_EQ(s.nodes_before, 5U);
  EXPECT_EQ(s.nodes_after, 6U);
  EXPECT_GT(s.edits, 4U);
}

TEST_F(RunTest, AReplacementByWhatWasThereKeepsItsName) {
  use([](Registry& r) {
    r.transformation<OnOp>("t.t", std::vector<std::string>{"Identity"},
                           [](Graph, Node n) { return std::vector<OutPort>{n.in_port(0).get_source()}; });
  });
  graph("%x = Parameter -> _ names(\"in\")\n %i = Identity (%x) -> _ names(\"out\")\n Result \"r\" (%i)");
  run("t.t");
  EXPECT_EQ(sketch(*graph_), "x:Parameter() r:Result(x)");
  EXPECT_THAT(tensor_names("x"), ElementsAre("in", "out"));
}

TEST_F(RunTest, OutputsOneByOne) {
  use([](Registry& r) {
    r.transformation<OnOp>("t.all", std::vector<std::string>{"Split"}, [](Graph g, Node n) {
      const Node a = g.create_node("A", "", "", {n.in_port(0).get_source()});
      const Node b = g.create_node("B", "", "", {n.in_port(0).get_source()}, 2);
      return std::vector<OutPort>{a.out_port(), b.out_port(1)};
    });
    // The second output is left alone: the callback connects it by itself.
    r.transformation<OnOp>("t.one", std::vector<std::string>{"Split"}, [](Graph g, Node n) {
      const Node a = g.create_node("A", "", "", {n.in_port(0).get_source()}, 2);
      n.out_port(1).get_connection().set_source(a.out_port(1));
      return std::vector<OutPort>{a.out_port(), OutPort()};
    });
  });
  const std::string_view text =
      "%x = Parameter\n %s = Split (%x) -> (_, _)\n Result \"r\" (%s)\n Result \"q\" (%s:1)";
  graph(text);
  run("t.all");
  EXPECT_EQ(sketch(*graph_), "x:Parameter() r:Result(s) q:Result(B:1) s:A(x) B:B(x)");
  graph(text);
  run("t.one");
  EXPECT_EQ(sketch(*graph_), "x:Parameter() r:Result(s) q:Result(s:1) s:A(x)");
}

TEST_F(RunTest, NamesGivenByTheCallbackStay) {
  use([](Registry& r) {
    r.transformation<OnOp>("t.new", std::vector<std::string>{"Old"}, [](Graph g, Node n) {
      const Node a = g.create_node("New", "", "", {n.in_port(0).get_source()});
      a.rename("mine");
      return std::vector<OutPort>{a.out_port()};
    });
    r.transformation<OnOp>("t.taken", std::vector<std::string>{"Old"}, [](Graph g, Node n) {
      const Node a = g.create_node("First", "", "", {n.in_port(0).get_source()});
      const Node b = g.create_node("Last", "", "", {a.out_port()});
      take_name(n, a);
      return std::vector<OutPort>{b.out_port()};
    });
  });
  graph("%x = Parameter\n %o = Old (%x)\n Result \"r\" (%o)");
  run("t.new");
  EXPECT_EQ(sketch(*graph_), "x:Parameter() r:Result(mine) mine:New(x)");
  graph("%x = Parameter\n %o = Old (%x)\n Result \"r\" (%o)");
  run("t.taken");
  EXPECT_EQ(sketch(*graph_), "x:Parameter() r:Result(Last) o:First(x) Last:Last(o)");
}

TEST_F(RunTest, ImpossibleReplacements) {
  using Ops = std::vector<std::string>;
  use([](Registry& r) {
    r.transformation<OnOp>("t.self", Ops{"Old"},
                           [](Graph, Node n) { return std::vector<OutPort>{n.out_port()}; });
    r.transformation<OnOp>("t.reads", Ops{"Old"}, [](Graph g, Node n) {
      return std::vector<OutPort>{g.create_node("New", "", "after", {n.out_port()}).out_port()};
    });
    r.transformation<OnOp>("t.many", Ops{"Old"}, [](Graph g, Node n) {
      const Node a = g.create_node("New", "", "", {n.in_port(0).get_source()});
      return std::vector<OutPort>{a.out_port(), a.out_port()};
    });
    r.transformation<OnOp>("t.twice", Ops{"Old"}, [](Graph g, Node n) {
      const Node a = g.create_node("New", "", "", {n.in_port(0).get_source()});
      replace_node(n, a);
      return std::vector<OutPort>{a.out_port()};
    });
    r.transformation<OnOp>("t.type", Ops{"Old"}, [](Graph g, Node n) {
      const Node a = g.create_node("New", "", "new", {n.in_port(0).get_source()});
      a.out_port().set_shape(ElementType::i64, Shape{2});
      return std::vector<OutPort>{a.out_port()};
    });
    r.transformation<OnOp>("t.shape", Ops{"Old"}, [](Graph g, Node n) {
      const Node a = g.create_node("New", "", "new", {n.in_port(0).get_source()});
      a.out_port().set_shape(ElementType::f32, Shape{3});
      return std::vector<OutPort>{a.out_port()};
    });
  });
  graph("%x = Parameter -> f32[2]\n %o = Old (%x) -> f32[2]\n Result \"r\" (%o)");
  EXPECT_THAT(failure("t.self"), HasSubstr("'o' (Old) cannot replace itself"));
  EXPECT_THAT(failure("t.reads"),
              HasSubstr("'after' (New) reads output 0 of 'o' (Old), which it would replace"));
  EXPECT_THAT(failure("t.many"), HasSubstr("2 replacements for the 1 outputs of 'o' (Old)"));
  EXPECT_THAT(failure("t.twice"), HasSubstr("'o' (Old) has been replaced already"));
  EXPECT_THAT(failure("t.type"),
              HasSubstr("output 0 of 'new' (New) is i64 [2] and cannot replace output 0 of 'o' (Old), "
                        "which is f32 [2]"));
  EXPECT_THAT(failure("t.shape"), HasSubstr("is f32 [3] and cannot replace"));
}

// Candidates.

TEST_F(RunTest, NodesMadeOnTheWayAreNoCandidates) {
  int calls = 0;
  use([&](Registry& r) {
    r.transformation<OnOp>("t.t", std::vector<std::string>{"A"}, [&](Graph g, Node n) {
      ++calls;
      return std::vector<OutPort>{g.create_node("A", "", "", {n.in_port(0).get_source()}).out_port()};
    });
  });
  graph("%x = Parameter\n %a = A (%x)\n %b = A (%a)\n Result \"r\" (%b)");
  EXPECT_EQ(run("t.t").matches, 2U);
  EXPECT_EQ(calls, 2);
}

TEST_F(RunTest, DeclinedCandidatesAreLeftAsTheyWere) {
  use([](Registry& r) {
    r.transformation<OnOp>("t.t", std::vector<std::string>{"A"}, [](Graph g, Node n) {
      const Node b = g.create_node("B", "", "", {n.in_port(0).get_source()});
      replace_node(n, b);
      only_when(n.attr<bool>("good"), "it is not good");
      return std::vector<OutPort>{};
    });
    r.transformation<OnTree>("t.tree", wrap_type({"A"}), [](OnTree&, Graph, Match&) {});
  });
  graph("%x = Parameter\n %a = A (%x) {good=false}\n %b = A (%a) {good=true}\n Result \"r\" (%b)");
  const auto s = run("t.t");
  EXPECT_EQ(sketch(*graph_), "x:Parameter() a:A(x) r:Result(b) b:B(a)");
  EXPECT_EQ(s.matches, 1U);
  EXPECT_EQ(s.declined, 1U);
  ASSERT_EQ(s.declines.size(), 1U);
  EXPECT_EQ(s.declines[0].node, "'a' (A)");
  EXPECT_EQ(s.declines[0].why, "it is not good");
  const auto idle = run("t.tree");
  EXPECT_EQ(idle.matches, 0U);
  EXPECT_EQ(idle.declined, 1U);
  EXPECT_TRUE(idle.declines.empty()) << "it gave no reason";
}

// Failures.

// Stopped after its k-th step, for every k.
TEST_F(RunTest, StoppedAfterAnyStepItLeavesNoTrace) {
  int left = 0;
  const auto step = [&] {
    if (left-- == 0) fail("stopped");
  };
  const auto edit_everything = [&](Graph g) {
    for (const Node& n : g.nodes("Add")) {
      step();
      const Node m =
          g.create_node("Mul", "opset1", n.name() + "/mul", {n.in_port(0).get_source(), OutPort()});
      step();
      m.in_port(1).set_source(g.create_int(m.name() + "/two", 2).out_port());
      step();
      n.out_port().get_connection().insert_node(g.create_node("Relu", "opset1", "", {OutPort()}));
      step();
      m.set("axis", int64_t{1}).set("list", std::vector<int64_t>{1, 2});
      step();
      copy_runtime_info({n}, {m});
      step();
      take_name(n, m);
      step();
      n.set_op("Sub", "opset1");
      step();
      n.out_port().set_tensor_names({"fresh"});
      step();
      n.add_output_port();
      n.delete_input_port(0);
      step();
      m.out_port().set_shape(ElementType::f32, Shape{1, 2});
      const Node body = g.create_node("If", "opset8", "", {}, 1);
      step();
      body.set("body", GraphHandle{g.create_sub_graph("b").id()});
      step();
      body.remove();
      step();
      g.set("done", true);
      step();
      replace_node(m, g.create_node("Other", "", "", {m.in_port(0).get_source()}));
      step();
    }
  };
  use([&](Registry& r) { r.transformation<OnGraph>("t.t", edit_everything); });
  graph(R"(
    %x = Parameter -> f32[2]
    %y = Parameter
    %a = Add@opset1 (%x, %y) rt {info="i"} -> f32[2] names("ta")
    %b = Add@opset1 (%a, %x) -> _ marked
    Result "r" (%a)
    Result "q" (%b)
  )");
  const std::string before = app::to_text(*graph_);
  int steps = 0;
  for (; steps < 100; ++steps) {
    left = steps;
    std::string message = test::failure_of([&] { run("t.t"); });
    if (message.find("stopped") == std::string::npos) break;
    ASSERT_EQ(app::to_text(*graph_), before) << "stopped at step " << steps;
  }
  EXPECT_EQ(steps, 30);
}

TEST_F(RunTest, FailuresNamePluginTransformationAndNode) {
  use([](Registry& r) {
    r.transformation<OnOp>("t.throws", std::vector<std::string>{"A"},
                           [](Graph, Node n) -> std::vector<OutPort> { fail("no way with ", n.name()); });
    r.transformation<OnGraph>("t.later", [](Graph g) {
      g.nodes("A")[0].set("x", int64_t{1});
      throw std::runtime_error("bang");
    });
    r.transformation<OnTree>("t.where", wrap_type({"A"}), [](OnTree&, Graph g, Match&) {
      throw Error("this one is bad", MO_ERROR, g.find("x")->id());
    });
  });
  graph("%x = Parameter\n %a = A (%x)\n Result \"r\" (%a)");
  const std::string message = failure("t.throws");
  EXPECT_THAT(message, HasSubstr("no way with a"));
  EXPECT_THAT(message, HasSubstr("node    'a' (A)"));
  EXPECT_THAT(message, HasSubstr("pass    t.throws"));
  EXPECT_THAT(message, HasSubstr("plugin  com.acme 1.0.0"));
  EXPECT_THAT(failure("t.later"), HasSubstr("bang"));
  EXPECT_THAT(failure("t.where"), HasSubstr("'x' (Parameter)"));
}

// A C plugin, or one whose exceptions get out, is contained as well.
TEST_F(RunTest, StatusesWithoutTextAndEscapedExceptions) {
  use([](Registry& r) {
    const auto add = [&](const char* id, decltype(mo_transformation_def::on_graph) f) {
      mo_transformation_def d{};
      d.size = sizeof d;
      d.id = str(id);
      d.phase = MO_PHASE_FRONT;
      d.kind = MO_TRANSFORM_GRAPH;
      d.on_graph = f;
      const Context c = r.context();
      c.check(c.host()->registry->transformation(c.get(), &d));
    };
    add("t.silent", [](void*, mo_context*, mo_graph) { return mo_status{MO_ERROR}; });
    add("t.odd", [](void*, mo_context*, mo_graph) { return mo_status{77}; });
    add("t.throws", [](void*, mo_context* c, mo_graph g) -> mo_status {
      c->host->graph->set_graph_name(c, g, str("changed"));
      throw std::runtime_error("escaped");
    });
  });
  graph("%x = Parameter");
  EXPECT_THAT(failure("t.silent"), HasSubstr("callback 'on_graph' failed with MO_ERROR and no text"));
  EXPECT_THAT(failure("t.odd"), HasSubstr("77 (not a mo_status)"));
  EXPECT_THAT(failure("t.throws"), HasSubstr("escaped"));
}

// Matchers.

Pattern relu_of_relu() {
  const auto inner = wrap_type({"Relu", "Relus"}, {any_input()->named("x")})->named("inner");
  return wrap_type({"Relu"}, {inner})->named("outer");
}

TEST_F(RunTest, RegisteredNodesAreLookedAtNext) {
  use([](Registry& r) {
    // Without registering, later nodes of the chain are found all the same: their inputs changed.
    r.transformation<OnTree>("t.plain", relu_of_relu(), [](OnTree&, Graph g, Match& m) {
      const Node fused = g.create_node("Relus", "", "", {m.port("x")});
      fused.set("count", m["inner"].attr("count", int64_t{1}) + 1);
      replace_node(m.root(), fused);
    });
    // The new node is the root of the next match; nothing else would look at it.
    const auto inner = wrap_type({"Exp"}, {any_input()->named("x")})->named("inner");
    r.transformation<OnTree>("t.grow", wrap_type({"Exp"}, {inner}), [](OnTree& self, Graph g, Match& m) {
      const Node e = g.create_node("Exp", "", "", {m.port("x")});
      replace_node(m.root(), e);
      m["inner"].remove();
      self.register_new_node(e);
    });
  });
  std::string chain = "%n0 = Parameter\n";
  for (int i = 1; i <= 5; ++i) append_text(chain, text("%n", i, " = Relu (%n", i - 1, ")\n"));
  graph(chain + "Result \"r\" (%n5)");
  EXPECT_EQ(run("t.plain").matches, 4U);
  const core::NodeId fused = graph_->find("n5");
  EXPECT_EQ(graph_->op(fused), "Relus");
  EXPECT_EQ(std::get<int64_t>(*graph_->attribute(fused, "count")), 5);

  // From the end: the last two, then the result with the one before, …
  graph(R"(
    Result "r" (%a)
    %a = Exp (%b)
    %b = Exp (%c)
    %c = Exp (%d)
    %d = Exp (%x)
    %x = Parameter
  )");
  // Three make one of four; what nobody needs any more may match, too, until it is cleaned away.
  EXPECT_GE(run("t.grow").matches, 3U);
  EXPECT_EQ(graph_->name(graph_->source({graph_->find("r"), 0}).node), "a");
  EXPECT_EQ(graph_->op(graph_->source({graph_->find("a"), 0}).node), "Parameter");
}

TEST_F(RunTest, EndlessRegistrationIsStopped) {
  use([](Registry& r) {
    r.transformation<OnTree>("t.loop", wrap_type({"A"}), [](OnTree& self, Graph g, Match& m) {
      const Node a = g.create_node("A", "", "", {m.root().in_port(0).get_source()});
      replace_node(m.root(), a);
      self.register_new_node(a);
    });
  });
  graph("%x = Parameter\n %a = A (%x)\n Result \"r\" (%a)");
  const std::string message = failure("t.loop");
  EXPECT_THAT(message, HasSubstr("endless loop"));
  EXPECT_THAT(message, HasSubstr("t.loop"));
  EXPECT_THAT(message, HasSubstr("register_new_node"));
}

// At each node the first matcher that edits something; what declines leaves it to the next.
TEST_F(RunTest, MatchersOfAGroupShareOneTraversal) {
  std::vector<std::string> seen;
  use([&](Registry& r) {
    const auto in_group = [](mo::Transformation& t) { t.group = "g"; };
    r.transformation<OnTree>(
        "t.first", wrap_type({"A", "B"}),
        [&](OnTree&, Graph, Match& m) {
          seen.push_back("first " + m.root().name());
          only_when(m.root().op() == "B", "not a B");
          m.root().set("done", int64_t{1});
        },
        in_group);
    r.transformation<OnTree>(
        "t.second", wrap_type({"A", "B"}),
        [&](OnTree&, Graph, Match& m) {
          seen.push_back("second " + m.root().name());
          m.root().set_op("C", "");
        },
        in_group);
    r.transformation<OnTree>(
        "t.third", wrap_type({"D"}, {wrap_type({"C"})}),
        [&](OnTree&, Graph, Match& m) {
          seen.push_back("third " + m.root().name());
          m.root().set("done", int64_t{3});
        },
        in_group);
  });
  graph("%x = Parameter\n %a = A (%x)\n %b = B (%a)\n %d = D (%a)\n Result \"r\" (%d)");
  std::vector<core::RunStatistics> list;
  core::run_phase(lab_.session, *graph_, core::make_schedule(lab_.session, {}), MO_PHASE_MIDDLE, &list);
  EXPECT_THAT(seen, ElementsAre("first a", "second a", "first b", "third d"));
  ASSERT_EQ(list.size(), 3U);
  EXPECT_EQ(list[0].id, "t.first");
  EXPECT_EQ(list[0].matches, 1U);
  EXPECT_EQ(list[0].declined, 1U);
  EXPECT_EQ(list[1].matches, 1U);
  EXPECT_EQ(list[2].matches, 1U);
}

// Patterns.

SubgraphPattern exp_chain() {
  return {{{"first", wrap_type({"Exp"})}, {"second", wrap_type({"Exp"})}}, {{"first", "second"}}};
}

TEST_F(RunTest, MatchesThatHaveGoneAreSkipped) {
  use([](Registry& r) {
    r.transformation<OnSubgraph>("t.t", exp_chain(), [](Graph g, Match& m) {
      const Node both = g.create_node("TwoExp", "", "", {m["first"].in_port(0).get_source()});
      replace_node(m["second"], both);
    });
  });
  graph("%x = Parameter\n %a = Exp (%x)\n %b = Exp (%a)\n %c = Exp (%b)\n %d = Exp (%c)\n Result \"r\" (%d)");
  EXPECT_EQ(run("t.t").matches, 2U);
  EXPECT_EQ(sketch(*graph_), "x:Parameter() a:Exp(x) c:Exp(b) r:Result(d) b:TwoExp(x) d:TwoExp(b)");
}

TEST_F(RunTest, TheSameNodesAreGivenOnce) {
  int calls = 0;
  const auto c = wrap_type({"Const"}), d = wrap_type({"Const"});
  use([&](Registry& r) {
    r.transformation<OnSubgraph>(
        "t.t",
        SubgraphPattern{{{"a", c}, {"b", d}, {"add", wrap_type({"Add"})}}, {{"a", "add"}, {"b", "add"}}},
        [&](Graph, Match& m) {
          ++calls;
          only_when(m["a"].name() == "q", "the other way round");
          m["add"].set("seen", int64_t{1});
        });
  });
  graph("%p = Const -> f32[] {1}\n %q = Const -> f32[] {2}\n %s = Add (%p, %q)\n Result \"r\" (%s)");
  const auto s = run("t.t");
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(s.matches, 1U);
  EXPECT_EQ(s.declined, 1U);
}

struct MatchApi {
  const Match& m;
  const mo_rewrite_api& api() const { return *m.context().host()->rewrite; }
  mo_context* c() const { return m.context().get(); }
  std::pair<uint32_t, uint32_t> counts() const {
    uint32_t in = 0, out = 0;
    m.context().check(api().counts(c(), m.get(), &in, &out));
    return {in, out};
  }
  OutPort output(uint32_t i) const {
    mo_port p{};
    m.context().check(api().output_port(c(), m.get(), i, &p));
    return {m.context(), p};
  }
  std::vector<std::string> inputs(uint32_t i) const {
    std::array<mo_port, 8> items{};
    uint64_t count = 0;
    m.context().check(api().input_ports(c(), m.get(), i, items.data(), items.size(), &count));
    std::vector<std::string> list;
    for (uint64_t k = 0; k < count; ++k)
      list.push_back(text(Node(m.context(), items[k].node).name(), ":", items[k].index));
    return list;
  }
  void map_input(uint32_t i, const InPort& p) const {
    m.context().check(api().map_input(c(), m.get(), i, p.abi()));
  }
  void map_output(uint32_t i, const OutPort& p) const {
    m.context().check(api().map_output(c(), m.get(), i, p.abi()));
  }
};

TEST_F(RunTest, InputsAndOutputsOfAMatch) {
  std::vector<std::string> seen;
  const SubgraphPattern p{{{"sub", wrap_type({"Sub"})}, {"mul", wrap_type({"Mul"})}},
                          {{"sub", "mul", 0, 0}, {"sub", "mul", 0, 1}}};
  use([&](Registry& r) {
    r.transformation<OnSubgraph>("t.t", p, [&](Graph g, Match& m) {
      const MatchApi api{m};
      EXPECT_EQ(api.counts(), std::pair(2U, 2U));
      EXPECT_THAT(api.inputs(0), ElementsAre("sub:0", "mul:2"));
      EXPECT_THAT(api.inputs(1), ElementsAre("sub:1"));
      EXPECT_EQ(api.output(0).node().name(), "sub");
      EXPECT_EQ(api.output(1).node().name(), "mul");
      const Node n = g.create_node("SquaredDifference", "", "", {OutPort(), OutPort()}, 2);
      api.map_input(0, n.in_port(0));
      api.map_input(1, n.in_port(1));
      api.map_output(1, n.out_port(0));
      api.map_output(0, n.out_port(1));
    });
  });
  graph(R"(
    %x = Parameter
    %y = Parameter
    %sub = Sub (%x, %y) -> _ names("d")
    %mul = Mul (%sub, %sub, %x) rt {info=1} -> _ names("sq")
    %out = Relu (%mul)
    Result "r" (%out)
    Result "q" (%sub)
    Result "p" (%mul)
  )");
  run("t.t");
  EXPECT_EQ(sketch(*graph_),
            "x:Parameter() y:Parameter() out:Relu(mul) r:Result(out) q:Result(mul:1) p:Result(mul) "
            "mul:SquaredDifference(x,y)");
  EXPECT_THAT(tensor_names("mul", 0), ElementsAre("sq"));
  EXPECT_THAT(tensor_names("mul", 1), ElementsAre("d"));
  EXPECT_EQ(graph_->rt_info(graph_->find("mul")).items().size(), 1U);
}

TEST_F(RunTest, KeptNodesStay) {
  use([](Registry& r) {
    r.transformation<OnSubgraph>("t.t", exp_chain(), [](Graph g, Match& m) {
      const MatchApi api{m};
      const Node n = g.create_node("New", "", "", {OutPort()});
      api.map_input(0, n.in_port(0));
      api.map_output(0, n.out_port());
      m.context().check(api.api().keep(api.c(), m.get(), m["first"].id()));
    });
  });
  graph("%x = Parameter\n %a = Exp (%x)\n %b = Exp (%a)\n Result \"r\" (%b)");
  run("t.t");
  EXPECT_EQ(sketch(*graph_), "x:Parameter() a:Exp(x) r:Result(b) b:New(x)");
}

TEST_F(RunTest, DataNodesOfAPattern) {
  const SubgraphPattern p{
      {{"in", data_node()}, {"sq", wrap_type({"Square"})}, {"sum", wrap_type({"Sum"})}, {"out", data_node()}},
      {{"in", "sq"}, {"sq", "sum"}, {"sum", "out"}}};
  use([&](Registry& r) {
    r.transformation<OnSubgraph>("t.t", p, [](Graph g, Match& m) {
      const Node n = g.create_node("L2", "", "", {m.port("in")});
      m.port("out").get_connection().set_source(n.out_port());
    });
  });
  graph("%x = Split () -> (_, _)\n %a = Square (%x:1)\n %b = Sum (%a)\n Result \"r\" (%b)");
  EXPECT_EQ(run("t.t").matches, 1U);
  EXPECT_EQ(sketch(*graph_), "x:Split() a:Square(x:1) b:Sum(a) r:Result(L2) L2:L2(x:1)");
}

// Running.

TEST_F(RunTest, BodiesToo) {
  std::vector<std::string> seen;
  use([&](Registry& r) {
    const auto note = [&](Graph g, Node n) {
      mo_str name{};
      n.context().check(n.context().graph().graph_name(n.context().get(), g.id(), &name));
      seen.push_back(text(name, " ", n.name()));
      n.set("done", true);
      return std::vector<OutPort>{};
    };
    r.transformation<OnOp>("t.all", std::vector<std::string>{"A"}, note);
    r.transformation<OnOp>("t.main", std::vector<std::string>{"A"}, note,
                           [](mo::Transformation& t) { t.run_not_recursively = true; });
  });
  const std::string_view text = R"(graph "main" {
    %a = A
    %l = Loop () {body=graph "outer" {
      %b = A
      %m = If () {then=graph "inner" { %c = A }, otherwise=graph "other" { %d = A }}
    }}
  })";
  graph(text);
  const auto s = run("t.all");
  EXPECT_THAT(seen, ElementsAre("main a", "outer b", "inner c", "other d"));
  EXPECT_EQ(s.matches, 4U);
  EXPECT_EQ(s.nodes_before, 6U);
  seen.clear();
  graph(text);
  run("t.main");
  EXPECT_THAT(seen, ElementsAre("main a"));
}

TEST_F(RunTest, AFailureInABodyTakesEverythingBack) {
  use([](Registry& r) {
    r.transformation<OnOp>("t.t", std::vector<std::string>{"A"}, [](Graph, Node n) {
      n.set("seen", true);
      if (n.name() == "bad") fail("bad");
      return std::vector<OutPort>{};
    });
  });
  graph("%a = A\n %l = Loop () {body=graph \"g\" { %b = A\n %bad = A }}");
  EXPECT_THAT(failure("t.t"), HasSubstr("'bad' (A)"));
}

TEST_F(RunTest, TransformationsRunOneAnother) {
  int depth = 0;
  use([&](Registry& r) {
    const auto run_inner = [](Graph g, std::string_view id) {
      const Context c = g.context();
      return c.host()->rewrite->run(c.get(), g.id(), str(id));
    };
    r.transformation<OnOp>(
        "t.inner", std::vector<std::string>{"A"},
        [](Graph, Node n) {
          n.set_op("B", "");
          if (n.name() == "bad") fail("no");
          return std::vector<OutPort>{};
        },
        [](mo::Transformation& t) { t.enabled = false; });
    r.transformation<OnGraph>("t.outer", [=](Graph g) {
      g.set("outer", true);
      g.context().check(run_inner(g, "t.inner"));
    });
    // The inner one is taken back, the outer one goes on.
    r.transformation<OnGraph>("t.careless", [=](Graph g) {
      g.set("outer", true);
      EXPECT_EQ(run_inner(g, "t.inner"), MO_ERROR);
      EXPECT_EQ(run_inner(g, "t.nothing"), MO_NOT_FOUND);
    });
    r.transformation<OnGraph>("t.endless", [=, &depth](Graph g) {
      ++depth;
      g.context().check(run_inner(g, "t.endless"));
    });
  });
  graph("%a = A\n %b = A");
  run("t.outer");
  EXPECT_EQ(sketch(*graph_), "a:B() b:B()");
  graph("%a = A\n %bad = A");
  EXPECT_THAT(failure("t.outer"), HasSubstr("no"));
  run("t.careless");
  EXPECT_EQ(sketch(*graph_), "a:A() bad:A()");
  EXPECT_EQ(graph_->attributes().items().size(), 1U);
  EXPECT_THAT(failure("t.endless"), HasSubstr("transformations run one another more than 32 deep"));
  EXPECT_EQ(depth, 33);
}

TEST_F(RunTest, ConditionsAreAskedOfTheMainGraph) {
  struct Conditional : ModelPass {
    explicit Conditional(std::vector<std::string>& ran) : ModelPass(MO_PHASE_MIDDLE), ran_(ran) {
      id = "t.t";
    }
    bool graph_condition(Graph g) override { return g.attr<std::string>("layout") == "NHWC"; }
    void run_on_model(Graph) override { ran_.push_back("ran"); }
    std::vector<std::string>& ran_;
  };
  std::vector<std::string> ran;
  use([&](Registry& r) { r.transformation<Conditional>(ran); });
  const std::string body = "%l = Loop () {body=graph \"b\" { %a = A }}";
  graph("graph \"g\" {layout=\"NCHW\"} {" + body + "}");
  run("t.t");
  EXPECT_THAT(ran, ElementsAre());
  graph("graph \"g\" {layout=\"NHWC\"} {" + body + "}");
  run("t.t");
  EXPECT_THAT(ran, ElementsAre("ran", "ran"));
}

TEST_F(RunTest, AConditionThatEditsIsAnError) {
  struct Nosy : ModelPass {
    Nosy() : ModelPass(MO_PHASE_MIDDLE) { id = "t.t"; }
    bool graph_condition(Graph g) override {
      g.set("seen", true);
      return true;
    }
    void run_on_model(Graph) override {}
  };
  use([&](Registry& r) { r.transformation<Nosy>(); });
  graph("%a = A");
  EXPECT_THAT(failure("t.t"), HasSubstr("conditions and predicates only read graphs"));
}

struct Copy {
  static constexpr std::string_view type = "Copy", opset = "test";
  static void schema(OpSchema& s) { s.inputs(1); }
  static void infer(InferContext& c) { c.output(0, c.type(0), c.shape(0)); }
};

TEST_F(RunTest, CleanUpAndInferenceOnRequest) {
  use([&](Registry& r) {
    r.operation<Copy>();
    const auto cut = [](Graph g) { g.find("b")->in_port(0).set_source(g.find("x")->out_port()); };
    r.transformation<OnGraph>("t.clean", cut, [](mo::Transformation& t) { t.force_clean_up = true; });
    const auto insert = [](Graph g) {
      const Node c = g.create_node("Copy", "test", "c", {g.find("x")->out_port()});
      g.find("b")->in_port(0).set_source(c.out_port());
    };
    r.transformation<OnGraph>("t.infer", insert,
                              [](mo::Transformation& t) { t.force_shape_inference = true; });
    r.transformation<OnGraph>("t.neither", insert);
  });
  const std::string_view text =
      "%x = Parameter {element_type=f32, shape=shape[2]} -> f32[2]\n %a = A (%x)\n %b = Copy@test (%a) -> "
      "f32[2]\n Result \"r\" (%b)";
  graph(text);
  run("t.clean");
  EXPECT_EQ(sketch(*graph_), "x:Parameter() b:Copy(x) r:Result(b)");
  graph(text);
  run("t.infer");
  EXPECT_TRUE(graph_->out({graph_->find("c"), 0}).tensor.shape == Shape{2});
  EXPECT_FALSE(graph_->has_marked());
  graph(text);
  run("t.neither");
  EXPECT_FALSE(graph_->out({graph_->find("c"), 0}).tensor.shape.has_rank());
  // At the end of the phase in any case.
  graph(text);
  core::run_phase(lab_.session, *graph_, core::make_schedule(lab_.session, {"", {}, {"t.clean", "t.infer"}}),
                  MO_PHASE_MIDDLE);
  EXPECT_TRUE(graph_->out({graph_->find("c"), 0}).tensor.shape == Shape{2});
}

}  // namespace
}  // namespace mo::test
