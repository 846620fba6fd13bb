// mo_rewrite_api used wrongly: statuses and texts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/schedule/lab.hpp"

namespace mo::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view chain_net = R"(
  %x = Parameter
  %a = A (%x)
  %b = B (%a)
  Result "r" (%b)
)";

// What a callback sees of the API, with the text of each failure.
struct Probe {
  Context context;
  mo_match* match = nullptr;
  std::vector<std::string>* log;

  const mo_rewrite_api& api() const { return *context.host()->rewrite; }
  mo_context* c() const { return context.get(); }
  void note(std::string_view what, mo_status status) const {
    log->push_back(text(what, " ", status,
                        status == MO_OK || status == MO_NOT_APPLICABLE
                            ? ""
                            : text(" ", view(context.host()->last_error(c())))));
  }
};

mo_node node(const Probe& p, std::string_view name) {
  mo_graph g = 1;
  mo_node n = 0;
  p.context.check(p.context.graph().find(p.c(), g, str(name), &n));
  return n;
}

class MatchApiTest : public ::testing::Test {
 protected:
  template <class F>
  std::vector<std::string> in_tree(F f) {
    const auto x = any_input()->named("x");
    const auto root =
        wrap_type({"B"}, {optional({"Opt"}, wrap_type({"A"}, {x})->named("a"))->named("opt")})->named("b");
    return run([&](Registry& r) {
      r.transformation<OnTree>("t.t", root, [=, this](OnTree&, Graph, Match& m) {
        f(Probe{m.context(), m.get(), &log_});
      });
    });
  }
  template <class F>
  std::vector<std::string> in_subgraph(F f) {
    const SubgraphPattern p{{{"a", wrap_type({"A"})}, {"b", wrap_type({"B"})}}, {{"a", "b"}}};
    return run([&](Registry& r) {
      r.transformation<OnSubgraph>("t.t", p, [=, this](Graph, Match& m) {
        f(Probe{m.context(), m.get(), &log_});
      });
    });
  }
  template <class F>
  std::vector<std::string> in_graph(F f) {
    return run([&](Registry& r) {
      r.transformation<OnGraph>("t.t", [=, this](Graph g) { f(Probe{g.context(), nullptr, &log_}); });
    });
  }
  std::vector<std::string> run(const Lab::Register& r) {
    log_.clear();
    Lab lab;
    lab.plugin("com.acme", r);
    const auto g = lab.graph(chain_net);
    EXPECT_EQ(test::failure_of([&] { lab.run(*g, "t.t"); }), "");
    return log_;
  }
  std::vector<std::string> log_;
};

TEST_F(MatchApiTest, WhatWasMatched) {
  EXPECT_THAT(in_tree([](const Probe& p) {
                mo_node n = 0;
                mo_port port{};
                p.note("a", p.api().node(p.c(), p.match, str("a"), &n));
                p.note("opt", p.api().node(p.c(), p.match, str("opt"), &n));
                p.note("opt port", p.api().port(p.c(), p.match, str("opt"), &port));
                EXPECT_EQ(Node(p.context, port.node).name(), "a");
                p.note("x port", p.api().port(p.c(), p.match, str("x"), &port));
                EXPECT_EQ(Node(p.context, port.node).name(), "x");
                p.note("c", p.api().node(p.c(), p.match, str("c"), &n));
                p.note("empty", p.api().node(p.c(), p.match, str(""), &n));
                p.note("root", p.api().root(p.c(), p.match, &n));
                EXPECT_EQ(Node(p.context, n).name(), "b");
                uint64_t count = 0;
                p.note("nodes", p.api().nodes(p.c(), p.match, nullptr, 0, &count));
                EXPECT_EQ(count, 2U);
                mo_graph g = 0;
                p.note("graph", p.api().graph(p.c(), p.match, &g));
                EXPECT_EQ(Graph(p.context, g).nodes().size(), 4U);
                mo_str s{};
                p.note("attributes", p.api().custom_attributes(p.c(), p.match, &s));
                EXPECT_EQ(view(s), "{}");
                p.note("scope", p.api().scope(p.c(), p.match, &s));
                EXPECT_EQ(view(s), "");
              }),
              ElementsAre("a 0", "opt 3 'opt' is absent from this match", "opt port 0", "x port 0",
                          "c 3 the pattern has no node 'c'", "empty 3 the pattern has no node ''", "root 0",
                          "nodes 0", "graph 0", "attributes 0", "scope 0"));
}

TEST_F(MatchApiTest, ANodeThatWasRemoved) {
  EXPECT_THAT(in_subgraph([](const Probe& p) {
                mo_node n = 0;
                p.api().node(p.c(), p.match, str("a"), &n);
                const Node a(p.context, n);
                a.out_port().get_connection().set_source(a.in_port(0).get_source());
                a.remove();
                p.note("a", p.api().node(p.c(), p.match, str("a"), &n));
                p.note("root", p.api().root(p.c(), p.match, &n));
              }),
              ElementsAre("a 5 the node that 'a' matched has been removed",
                          "root 5 the root of the match has been removed"));
}

TEST_F(MatchApiTest, NullAndForeignPointers) {
  EXPECT_THAT(in_subgraph([](const Probe& p) {
                mo_node n = 0;
                p.note("node", p.api().node(p.c(), p.match, str("a"), nullptr));
                p.note("match", p.api().node(p.c(), nullptr, str("a"), &n));
                int other = 0;
                p.note("other", p.api().node(p.c(), reinterpret_cast<mo_match*>(&other), str("a"), &n));
                p.note("alias", p.api().node(p.c(), p.match, mo_str{nullptr, 3}, &n));
                p.note("ports", p.api().replace_outputs(p.c(), 0, nullptr, 0));
                p.note("keep", p.api().keep(p.c(), p.match, 12345));
                EXPECT_EQ(p.api().node(nullptr, p.match, str("a"), &n), MO_INVALID_ARGUMENT);
              }),
              ElementsAre("node 4 argument 'node' is NULL", "match 4 argument 'match' is NULL",
                          "other 5 a match is valid only in the callback that got it",
                          "alias 4 alias is NULL with a length of 3", "ports 5 node handle 0 is none",
                          HasSubstr("keep 5")));
}

TEST_F(MatchApiTest, PortsOfAMatch) {
  EXPECT_THAT(
      in_subgraph([](const Probe& p) {
        mo_port port{};
        uint64_t count = 0;
        p.note("input", p.api().input_ports(p.c(), p.match, 1, nullptr, 0, &count));
        p.note("output", p.api().output_port(p.c(), p.match, 1, &port));
        p.note("direction", p.api().map_output(p.c(), p.match, 0, mo_port{node(p, "a"), 0, MO_PORT_IN}));
        p.note("index", p.api().map_input(p.c(), p.match, 0, mo_port{node(p, "a"), 7, MO_PORT_IN}));
        p.note("keep", p.api().keep(p.c(), p.match, node(p, "x")));
      }),
      ElementsAre("input 4 the match has no input 1; it has 1",
                  "output 4 the match has no output 1; it has 1", HasSubstr("direction 4"),
                  HasSubstr("index 4"), "keep 4 'x' (Parameter) is not a node of this match"));
  EXPECT_THAT(in_tree([](const Probe& p) {
                uint32_t in = 0, out = 0;
                p.note("counts", p.api().counts(p.c(), p.match, &in, &out));
                p.note("map", p.api().map_input(p.c(), p.match, 0, mo_port{}));
              }),
              ElementsAre("counts 8 inputs and outputs of a match are known for sub-graph patterns and "
                          "configured matches only",
                          HasSubstr("map 8")));
}

TEST_F(MatchApiTest, TheWrongCallback) {
  EXPECT_THAT(
      in_graph([](const Probe& p) {
        mo_str s{};
        mo_node n = 0;
        int match = 0;
        p.note("node", p.api().node(p.c(), reinterpret_cast<mo_match*>(&match), str("a"), &n));
        p.note("attributes", p.api().custom_attributes(p.c(), nullptr, &s));
        p.note("register", p.api().register_new_node(p.c(), node(p, "a")));
        p.note("run", p.api().run(p.c(), 0, str("t.t")));
        p.note("decline", p.api().decline(p.c(), 0, str("why")));
      }),
      ElementsAre(
          "node 7 there is no match in on_graph and on_node",
          "attributes 4 only a transformation of a configuration file has custom attributes without a match",
          "register 7 only matchers look at nodes that are registered", HasSubstr("run 5 graph handle 0"),
          "decline 2"));
}

// Outside of transformations, and in conditions and predicates, nothing can be asked for.
TEST_F(MatchApiTest, OutsideOfTransformations) {
  EXPECT_THAT(
      run([&](Registry& r) {
        const Probe p{r.context(), nullptr, &log_};
        p.note("decline", p.api().decline(p.c(), 0, str("why")));
        p.note("run", p.api().run(p.c(), 1, str("t.t")));
        const auto nosy = wrap_type({"B"}, {}, [this](const OutPort& port) {
          const Probe q{port.context(), nullptr, &log_};
          q.note("replace", q.api().replace_outputs(q.c(), port.node().id(), nullptr, 0));
          return false;
        });
        r.transformation<OnTree>("t.t", nosy, nullptr);
      }),
      ElementsAre("decline 7 this is callable only inside on_graph, on_node and on_match of a transformation",
                  HasSubstr("run 7"), HasSubstr("replace 7")));
}

}  // namespace
}  // namespace mo::test
