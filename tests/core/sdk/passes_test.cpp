// Matchers and Managers as the document of the Transformations API has them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/schedule/lab.hpp"

namespace mo::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Notes where it has been, and answers as it is told.
struct Notes : MatcherPass {
  Notes(std::string name, std::vector<std::string>& seen, bool answer) {
    id = std::move(name);
    register_matcher(wrap_type({"A"}), [this, &seen, answer](Graph, Match& m) {
      seen.push_back(text(id, "@", m.root().name()));
      m.root().set_rt_info(id, true);
      return answer;
    });
  }
};
struct TwoNotes : GraphRewrite {
  TwoNotes(std::vector<std::string>& seen, bool first_answer) {
    id = "t.both";
    add_matcher<Notes>("t.first", seen, first_answer);
    add_matcher<Notes>("t.second", seen, true);
  }
};

std::vector<std::string> seen_by_both(bool first_answer) {
  Lab lab;
  std::vector<std::string> seen;
  lab.plugin("com.acme", [&](Registry& r) {
    r.transformation<TwoNotes>(seen, first_answer);
    r.transformation<OnGraph>("t.t", [](Graph g) {
      Manager all(g.context());
      all.register_pass("t.both");
      all.run_passes(g);
    });
  });
  const auto g = lab.graph("%x = Parameter\n%a = A (%x)\n%b = A (%a)\nResult \"r\" (%b)");
  lab.run(*g, "t.t");
  return seen;
}

TEST(MatcherPassAnswer, TrueEndsTheMatterAtThatRoot) {
  EXPECT_THAT(seen_by_both(true), ElementsAre("t.first@a", "t.first@b"));
}

TEST(MatcherPassAnswer, FalseLetsTheOthersGoOnAlthoughItHasChangedSomething) {
  EXPECT_THAT(seen_by_both(false), ElementsAre("t.first@a", "t.second@a", "t.first@b", "t.second@b"));
}

TEST(MatcherPassAnswer, ARootThatIsGoneIsNoRootForOthers) {
  struct Removes : MatcherPass {
    Removes() {
      id = "t.t";
      register_matcher(wrap_type({"A"}), [](Graph, Match& m) {
        m.root().out_port().get_connection().set_source(m.root().in_port(0).get_source());
        m.root().remove();
        return false;
      });
    }
  };
  Lab lab;
  lab.plugin("com.acme", [](Registry& r) { r.transformation<Removes>(); });
  const auto g = lab.graph("%x = Parameter\n%a = A (%x)\nResult \"r\" (%a)");
  EXPECT_EQ(lab.run(*g, "t.t").matches, 1U);
  EXPECT_EQ(sketch(*g), "x:Parameter() r:Result(x)");
}

TEST(MatcherPassAnswer, OneMatcherForAPass) {
  struct Twice : MatcherPass {
    Twice() {
      id = "t.t";
      for (int i = 0; i < 2; ++i) register_matcher(wrap_type({"A"}), [](Graph, Match&) {});
    }
  };
  EXPECT_THROW(Twice(), Error);
}

// Patterns of operations that commute.

// What commutes is what says so.
template <bool commutes>
struct OfTwo {
  static void schema(OpSchema& s) {
    s.inputs(2);
    if (commutes) s.commutative();
  }
};

std::string matches(const Pattern& p, std::string_view graph) {
  Lab lab;
  std::string found;
  lab.plugin("com.acme", [&](Registry& r) {
    r.operation<OfTwo<true>>("Add", "opset1");
    r.operation<OfTwo<true>>("Multiply", "opset1");
    r.operation<OfTwo<true>>("Multiply", "org.acme");
    r.operation<OfTwo<false>>("Divide", "opset1");
    r.transformation<OnTree>("t.host", p,
                             [&](OnTree&, Graph, Match& m) { found += text("host:", m.root().name(), " "); });
    r.transformation<OnGraph>("t.hand", [&](Graph g) {
      Matcher by_hand(p);
      for (const Node& n : g.nodes())
        if (by_hand.match(n)) found += text("hand:", n.name(), " ");
    });
  });
  const auto g = lab.graph(graph);
  lab.run(*g, "t.host");
  lab.run(*g, "t.hand");
  return found;
}

constexpr std::string_view products = R"(
  %x = Parameter
  %c = Const -> f32[] {2}
  %m = Multiply@opset1 (%x, %c)
  %n = Multiply@opset1 (%c, %x)
  %d = Divide@opset1 (%c, %x)
  Result "r" (%m)
  Result "s" (%n)
  Result "t" (%d)
)";

TEST(CommutativePatterns, MatchInEitherOrder) {
  EXPECT_EQ(matches(wrap_type({"Multiply"}, {any_input(), constant()}), products),
            "host:m host:n hand:m hand:n ");
  EXPECT_EQ(matches(wrap_type({"opset1::Multiply", "Add"}, {constant(), any_input()}), products),
            "host:m host:n hand:m hand:n ");
}

TEST(CommutativePatterns, InOrderWhenThatIsSaid) {
  EXPECT_EQ(matches(wrap_type({"Multiply"}, {any_input(), constant()})->in_order(), products),
            "host:m hand:m ");
}

TEST(CommutativePatterns, WhatDoesNotCommuteKeepsItsOrder) {
  EXPECT_EQ(matches(wrap_type({"Divide"}, {any_input(), constant()}), products), "");
  EXPECT_EQ(matches(wrap_type({"Multiply", "Divide"}, {any_input(), constant()}), products),
            "host:m hand:m ");
}

TEST(CommutativePatterns, OfAVendorAsWell) {
  constexpr std::string_view graph = R"(
    %x = Parameter
    %c = Const -> f32[] {2}
    %n = Multiply@org.acme (%c, %x)
    %u = Multiply@org.unknown (%c, %x)
    Result "r" (%n)
    Result "s" (%u))";
  EXPECT_EQ(matches(wrap_type({"org.acme::Multiply"}, {any_input(), constant()}), graph), "host:n hand:n ");
  EXPECT_EQ(matches(wrap_type({"org.unknown::Multiply"}, {any_input(), constant()}), graph), "");
}

// Manager: passes that nobody has registered.

struct Renames : MatcherPass {
  Renames(std::string from, std::string to) {
    register_matcher(wrap_type({from}), [this, to](Graph g, Match& m) {
      const Node made = g.create_node(to, "", "", {m.root().in_port(0).get_source()});
      replace_node(m.root(), made);
      register_new_node(made);
    });
  }
};
struct Own : ModelPass {
  Own(std::string op, int& runs) : op_(std::move(op)), runs_(runs) {}
  bool graph_condition(Graph g) override { return !g.nodes(op_).empty(); }
  void run_on_model(Graph g) override {
    ++runs_;
    for (const Node& n : g.nodes(op_)) n.set_rt_info("seen", true);
  }

 private:
  std::string op_;
  int& runs_;
};
struct OneOp : FrontReplacementOp {
  explicit OneOp(std::string from) { op = std::move(from); }
  std::vector<OutPort> replace_op(Graph g, Node n) override {
    only_when(n.name() != "keep", "it stays");
    return {g.create_node("Z", "", n.name() + "/Z", {n.in_port(0).get_source()})};
  }
};
struct Patterns : MiddleReplacementPattern {
  SubgraphPattern pattern() override { return {{{"a", wrap_type({"A"})}}, {}}; }
  void replace_pattern(Graph, Match&) override {}
};
struct OwnChain : GraphRewrite {
  OwnChain() {
    add_matcher<Renames>("A", "B");
    add_matcher<Renames>("B", "C");
  }
};

std::string managed(std::string_view graph, const std::function<void(Manager&)>& fill) {
  Lab lab;
  lab.plugin("com.acme", [&](Registry& r) {
    r.transformation<OnGraph>("t.t", [&](Graph g) {
      Manager manager(g.context());
      fill(manager);
      manager.run_passes(g);
    });
  });
  const auto g = lab.graph(graph);
  const std::string failure = test::failure_of([&] { lab.run(*g, "t.t"); });
  return failure.empty() ? sketch(*g) : failure;
}

constexpr std::string_view two_a = "%x = Parameter\n%a = A (%x)\n%keep = A (%a)\nResult \"r\" (%keep)";

TEST(ManagerOfOwnPasses, RunsAMatcher) {
  EXPECT_EQ(managed(two_a, [](Manager& m) { m.register_pass<Renames>("A", "B"); }),
            "x:Parameter() r:Result(keep) a:B(x) keep:B(a)");
}

TEST(ManagerOfOwnPasses, NewNodesAreLookedAtByTheOthersOfTheGroup) {
  EXPECT_EQ(managed(two_a, [](Manager& m) { m.register_pass<OwnChain>(); }),
            "x:Parameter() r:Result(keep) a:C(x) keep:C(a)");
}

TEST(ManagerOfOwnPasses, OneAfterTheOtherAndWhatIsReplacedIsNotMatchedAgain) {
  int runs = 0;
  EXPECT_EQ(managed(two_a,
                    [&](Manager& m) {
                      m.register_pass<Own>("None", runs).register_pass<Own>("A", runs);
                      m.register_pass<Renames>("A", "B").register_pass<Renames>("A", "wrong");
                      m.register_pass(std::make_shared<Renames>("B", "C"));
                    }),
            "x:Parameter() r:Result(keep) a:C(x) keep:C(a)");
  EXPECT_EQ(runs, 1);
}

TEST(ManagerOfOwnPasses, OneOperation) {
  EXPECT_EQ(managed(two_a, [](Manager& m) { m.register_pass<OneOp>("A"); }),
            "x:Parameter() keep:A(a) r:Result(keep) a:Z(x)");
}

TEST(ManagerOfOwnPasses, BodiesToo) {
  Lab lab;
  lab.plugin("com.acme", [&](Registry& r) {
    r.transformation<OnGraph>(
        "t.t",
        [&](Graph g) {
          const Graph body = g.create_sub_graph("body");
          const Node p = body.create_node("Parameter", "", "p");
          body.create_node("Result", "", "q", {body.create_node("A", "", "inner", {p})});
          g.find("h")->set("body", GraphHandle{body.id()});
          Manager manager(g.context());
          manager.register_pass<Renames>("A", "B");
          manager.run_passes(g);
          EXPECT_EQ(body.nodes("A").size(), 1U) << "it goes when the callback ends";
          EXPECT_EQ(body.nodes("B").size(), 1U);
        },
        [](mo::Transformation& t) { t.run_not_recursively = true; });
  });
  const auto g = lab.graph("%x = Parameter\n%h = Holder \"h\" (%x)\nResult \"r\" (%h)");
  EXPECT_EQ(test::failure_of([&] { lab.run(*g, "t.t"); }), "");
}

TEST(ManagerOfOwnPasses, PatternsOfNodesHaveToBeRegistered) {
  EXPECT_THAT(managed(two_a, [](Manager& m) { m.register_pass<Patterns>(); }),
              HasSubstr("has a pattern of nodes and edges, or is for a configuration file: register it"));
}

}  // namespace
}  // namespace mo::test
