// A graph has one holder: what a plugin can make of bodies, move and take back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/registry/held_graphs.hpp"
#include "tests/core/schedule/lab.hpp"

namespace mo::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view two_loops = R"(
  %x = Parameter
  %a = Loop (%x) {body=graph "first" {
    %p = Parameter
    %inner = Loop (%p) {body=graph "inner" { %q = Parameter }}
    Result (%inner)
  }}
  %b = Loop (%x) {other_body=graph "second" { %p = Parameter }}
  Result "r" (%a)
  Result "s" (%b)
)";

class BodiesTest : public ::testing::Test {
 protected:
  // What one callback on the whole graph makes of it.
  void run(const OnGraph::Body& f, bool on_bodies = false) {
    lab_.plugin("com.acme", [&](Registry& r) {
      r.transformation<OnGraph>("t.t", f, [&](mo::Transformation& t) { t.run_not_recursively = !on_bodies; });
    });
    graph_ = lab_.graph(two_loops);
    lab_.run(*graph_, "t.t");
  }
  static std::string holder_of(const Graph& g) {
    mo_node n = 0;
    g.context().check(g.context().graph().parent(g.context().get(), g.id(), &n));
    return n == 0 ? "nobody" : Node(g.context(), n).name();
  }
  static Graph body_of(const Node& n, std::string_view name = "body") {
    return {n.context(), n.attr<GraphHandle>(name).id};
  }
  static std::string graph_name(const Graph& g) {
    mo_str name{};
    g.context().check(g.context().graph().graph_name(g.context().get(), g.id(), &name));
    return std::string(view(name));
  }
  template <class F>
  void refused(std::string_view why, F f, mo_status status = MO_INVALID_ARGUMENT) {
    try {
      f();
      ADD_FAILURE() << "expected: " << why;
    } catch (const Error& e) {
      EXPECT_EQ(e.status(), status) << e.what();
      EXPECT_THAT(e.what(), HasSubstr(why));
      ++refused_;
    }
  }
  core::Graph* body(std::string_view node, std::string_view name = "body") {
    const core::Attribute* a = graph_->attribute(graph_->find(node), name);
    return a == nullptr ? nullptr : std::get<core::GraphPtr>(*a).get();
  }

  Lab lab_;
  core::GraphPtr graph_;
  int refused_ = 0;
};

TEST_F(BodiesTest, WhatWouldHoldItselfOrHasAHolderIsRefused) {
  run([&](Graph g) {
    const Node a = *g.find("a"), b = *g.find("b");
    const Graph first = body_of(a), inner = body_of(*first.find("inner"));
    refused("the node lies in it", [&] { a.set("body", GraphHandle{g.id()}); });
    refused("the node lies in it", [&] { first.find("inner")->set("body", GraphHandle{first.id()}); });
    refused("the node lies in it", [&] { first.find("inner")->set("more", GraphHandle{g.id()}); });
    refused("'a' (Loop) holds it", [&] { b.set("body", GraphHandle{first.id()}); });
    refused("'a' (Loop) holds it", [&] { a.set("twice", GraphHandle{first.id()}); });
    refused("'inner' (Loop) holds it", [&] { b.set("body", GraphHandle{inner.id()}); });
    const Graph made = g.create_sub_graph("made");
    const core::GraphPtr list = graph_->space().find(static_cast<uint32_t>(made.id()))->shared_from_this();
    refused("stands twice", [&] {
      core::set_attribute_of_node(lab_.session, *graph_, graph_->find("b"), "bodies",
                                  std::vector<core::GraphPtr>{list, list});
    });
    const Node in_made = made.create_node("Loop", "", "l");
    refused("is not a sub-graph", [&] { in_made.set("body", GraphHandle{g.id()}); });
    refused("only attributes of nodes", [&] { g.set("body", GraphHandle{made.id()}); });
    refused("only attributes of nodes", [&] { a.set_rt_info("body", GraphHandle{made.id()}); });
    a.set("body", GraphHandle{first.id()});  // that is where it is
    b.set("body", GraphHandle{made.id()});
    refused("the node lies in it", [&] { in_made.set("body", GraphHandle{g.id()}); });
  });
  EXPECT_EQ(refused_, 11);
  EXPECT_EQ(body("a")->name(), "first");
  EXPECT_EQ(body("b")->name(), "made");
}

TEST_F(BodiesTest, AMovedBodyBelongsToItsNewHolder) {
  size_t edits = 0;
  run([&](Graph g) {
    const Node a = *g.find("a"), b = *g.find("b");
    const Graph first = body_of(a);
    a.erase("body");
    EXPECT_EQ(holder_of(first), "nobody");
    b.set("body", GraphHandle{first.id()});
    g.find("r")->in_port(0).set_source(b.out_port());
    a.remove();
    EXPECT_EQ(holder_of(first), "b");
    first.find("inner")->set("k", 1);
    edits = graph_->journal()->size();
    first.find("inner")->set("k", 2);
    EXPECT_GT(graph_->journal()->size(), edits) << "edits of the body are journaled";
  });
  ASSERT_NE(body("b"), nullptr);
  EXPECT_EQ(body("b")->parent(), graph_.get());
  EXPECT_EQ(body("b")->parent_node(), graph_->find("b"));
  EXPECT_EQ(graph_->bodies().size(), 2U);
}

TEST_F(BodiesTest, ABodyOfARemovedNodeCanBeTakenOver) {
  run([&](Graph g) {
    const Node a = *g.find("a"), b = *g.find("b");
    const Graph first = body_of(a);
    g.find("r")->in_port(0).set_source(b.out_port());
    a.remove();
    b.set("body", GraphHandle{first.id()});
  });
  EXPECT_EQ(body("b")->name(), "first");
  EXPECT_EQ(body("b")->parent_node(), graph_->find("b"));
}

TEST_F(BodiesTest, DecliningPutsBodiesBack) {
  mo_graph made = 0;
  run([&](Graph g) {
    const Node a = *g.find("a"), b = *g.find("b");
    const Graph first = body_of(a);
    a.erase("body");
    b.set("body", GraphHandle{first.id()});
    const Graph loose = g.create_sub_graph("made");
    made = loose.id();
    a.set("body", GraphHandle{made});
    first.find("inner")->set("k", 1);
    decline("not this time");
  });
  EXPECT_EQ(app::to_text(*graph_), app::to_text(*lab_.graph(two_loops)));
  EXPECT_EQ(body("a")->parent_node(), graph_->find("a"));
  const core::Graph* loose = lab_.session.space()->find(static_cast<uint32_t>(made));
  ASSERT_NE(loose, nullptr) << "as it was made outside of the graph, it is still there";
  EXPECT_EQ(loose->parent(), nullptr);
}

// Whoever knows a node that was never there is told so, however many have been made since.
TEST_F(BodiesTest, HandlesOfDeclinedNodesStayStale) {
  mo_node kept = 0;
  int runs = 0;
  lab_.plugin("com.acme", [&](Registry& r) {
    r.transformation<OnOp>("t.t", std::vector<std::string>{"A"}, [&](Graph g, Node) -> std::vector<OutPort> {
      const Node made = g.create_node("New", "", "new");
      if (runs++ == 0) {
        kept = made.id();
        decline("not this one");
      }
      EXPECT_NE(made.id(), kept);
      refused(
          "is stale", [&] { (void)Node(g.context(), kept).name(); }, MO_STALE_HANDLE);
      return {};
    });
  });
  graph_ = lab_.graph("%a = A\n %b = A\n Result (%a)\n Result (%b)");
  lab_.run(*graph_, "t.t");
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(refused_, 1);
}

TEST_F(BodiesTest, OutermostBodiesComeFirst) {
  std::vector<std::string> order;
  run([&](Graph g) { order.push_back(graph_name(g)); }, true);
  EXPECT_THAT(order, ElementsAre("", "first", "second", "inner"));
}

}  // namespace
}  // namespace mo::test
