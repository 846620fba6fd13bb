#include "core/graph/graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mo::core {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class GraphTest : public ::testing::Test {
 protected:
  NodeId add(std::string_view op, std::string_view name, uint32_t in = 1, uint32_t out = 1) {
    return g->add_node(op, "opset1", name, in, out);
  }
  // a -> b -> c, and a -> d
  void chain() {
    a = add("A", "a", 0);
    b = add("B", "b");
    c = add("C", "c");
    d = add("D", "d");
    g->connect({a, 0}, {b, 0});
    g->connect({a, 0}, {d, 0});
    g->connect({b, 0}, {c, 0});
  }
  std::vector<std::string> names(PortRef p) const {
    std::vector<std::string> list;
    for (Symbol s : g->out(p).names) list.emplace_back(g->symbols().text(s));
    return list;
  }
  void set_names(PortRef p, std::initializer_list<std::string_view> list) {
    TensorNames symbols;
    for (auto s : list) symbols.push_back(g->symbols().intern(s));
    g->set_tensor_names(p, std::move(symbols));
  }
  std::shared_ptr<GraphSpace> space = std::make_shared<GraphSpace>();
  GraphPtr g = Graph::create(space, "g");
  NodeId a = no_node, b = no_node, c = no_node, d = no_node;
};

TEST_F(GraphTest, NamesAreUnique) {
  const NodeId x = add("Op", "x"), y = add("Op", "x"), z = add("Op", "x");
  EXPECT_EQ(g->name(x), "x");
  EXPECT_EQ(g->name(y), "x_1");
  EXPECT_EQ(g->name(z), "x_2");
  EXPECT_EQ(g->name(add("Op", "")), "Op");
  EXPECT_EQ(g->find("x_1"), y);
  EXPECT_EQ(g->find("nobody"), no_node);
}

TEST_F(GraphTest, RenameRefusesATakenName) {
  const NodeId x = add("Op", "x"), y = add("Op", "y");
  EXPECT_THROW(g->rename(x, "y"), Error);
  EXPECT_THROW(g->rename(x, ""), Error);
  g->rename(y, "z");
  g->rename(x, "y");
  EXPECT_EQ(g->find("y"), x);
  EXPECT_EQ(g->find("x"), no_node);
}

TEST_F(GraphTest, OpIndexFollowsEveryChange) {
  chain();
  const NodeId second = add("B", "b2");
  EXPECT_THAT(g->nodes_of("B"), ElementsAre(b, second));
  g->set_op(a, "B", "opset2");
  EXPECT_THAT(g->nodes_of("B"), ElementsAre(a, b, second));
  EXPECT_THAT(g->nodes_of("A"), IsEmpty());
  g->remove_node(b);
  EXPECT_THAT(g->nodes_of("B"), ElementsAre(a, second));
  g->set_op(second, "X", "opset1");
  g->set_op(second, "B", "opset1");
  EXPECT_THAT(g->nodes_of("B"), ElementsAre(a, second));
  EXPECT_EQ(g->size(), 4U);
}

TEST_F(GraphTest, OpsetsOfAnOpFollowEveryChange) {
  const NodeId first = add("A", "first"), second = add("A", "second");
  const Symbol op = g->node(first).op;
  EXPECT_TRUE(g->has_one_opset(op));
  Journal journal;
  g->set_journal(&journal);
  g->set_op(first, "A", "opset2");
  EXPECT_FALSE(g->has_one_opset(op));
  EXPECT_THAT(g->nodes_of("A"), ElementsAre(first, second));
  g->set_op(second, "A", "opset2");
  EXPECT_TRUE(g->has_one_opset(op));
  journal.roll_back(journal.size() - 1);
  g->remove_node(second);
  EXPECT_TRUE(g->has_one_opset(op));
  journal.roll_back();
  g->set_journal(nullptr);
  EXPECT_TRUE(g->has_one_opset(op));
  EXPECT_EQ(g->opset(first), "opset1");
  EXPECT_THAT(g->nodes_of("A"), ElementsAre(first, second));
}

TEST_F(GraphTest, DestinationsKeepTheirOrder) {
  chain();
  EXPECT_THAT(g->destinations({a, 0}), ElementsAre(PortRef{b, 0}, PortRef{d, 0}));
  g->disconnect_input({b, 0});
  EXPECT_THAT(g->destinations({a, 0}), ElementsAre(PortRef{d, 0}));
  g->connect({a, 0}, {b, 0});
  EXPECT_THAT(g->destinations({a, 0}), ElementsAre(PortRef{d, 0}, PortRef{b, 0}));
  EXPECT_EQ(g->out({a, 0}).destinations, 2U);
}

TEST_F(GraphTest, ConnectReplacesTheSource) {
  chain();
  g->connect({d, 0}, {c, 0});
  EXPECT_EQ(g->source({c, 0}), (PortRef{d, 0}));
  EXPECT_THAT(g->destinations({b, 0}), IsEmpty());
}

TEST_F(GraphTest, DeletedPortsMoveTheOthersDown) {
  const NodeId n = add("N", "n", 3, 3), m = add("M", "m", 1), s = add("S", "s", 0, 3);
  for (uint32_t i = 0; i < 3; ++i) g->connect({s, i}, {n, i});
  g->connect({n, 2}, {m, 0});
  g->delete_input(n, 0);
  EXPECT_EQ(g->node(n).inputs.size(), 2U);
  EXPECT_EQ(g->source({n, 0}), (PortRef{s, 1}));
  EXPECT_EQ(g->source({n, 1}), (PortRef{s, 2}));
  EXPECT_THAT(g->destinations({s, 1}), ElementsAre(PortRef{n, 0}));
  EXPECT_THAT(g->destinations({s, 0}), IsEmpty());
  g->delete_output(n, 0);
  EXPECT_EQ(g->source({m, 0}), (PortRef{n, 1}));
  EXPECT_THAT(g->destinations({n, 1}), ElementsAre(PortRef{m, 0}));
}

TEST_F(GraphTest, SetSourceMovesEveryDestination) {
  chain();
  set_names({a, 0}, {"ta"});
  set_names({c, 0}, {"tc"});
  g->set_source({a, 0}, {c, 0}, NamesMode::merge);
  EXPECT_THAT(g->destinations({c, 0}), ElementsAre(PortRef{b, 0}, PortRef{d, 0}));
  EXPECT_THAT(names({c, 0}), ElementsAre("tc", "ta"));
  EXPECT_THAT(names({a, 0}), IsEmpty());
}

TEST_F(GraphTest, SetSourceModes) {
  chain();
  set_names({a, 0}, {"ta"});
  set_names({c, 0}, {"tc"});
  g->set_source({a, 0}, {c, 0}, NamesMode::source);
  EXPECT_THAT(names({c, 0}), ElementsAre("tc"));
  EXPECT_THAT(names({a, 0}), ElementsAre("ta"));
  g->set_source({c, 0}, {a, 0}, NamesMode::dest);
  EXPECT_THAT(names({a, 0}), ElementsAre("tc"));
}

TEST_F(GraphTest, SetDestinationNeedsAtMostOne) {
  chain();
  EXPECT_THROW(g->set_destination({a, 0}, {c, 0}, NamesMode::merge), Error);
  g->set_destination({b, 0}, {d, 0}, NamesMode::merge);
  EXPECT_EQ(g->source({d, 0}), (PortRef{b, 0}));
  EXPECT_FALSE(g->source({c, 0}));
}

TEST_F(GraphTest, InsertNodeStandsBetween) {
  chain();
  const NodeId n = add("N", "n");
  g->insert_node({a, 0}, n, NamesMode::source);
  EXPECT_EQ(g->source({n, 0}), (PortRef{a, 0}));
  EXPECT_THAT(g->destinations({n, 0}), ElementsAre(PortRef{b, 0}, PortRef{d, 0}));
  EXPECT_THAT(g->destinations({a, 0}), ElementsAre(PortRef{n, 0}));
  const NodeId two = add("Two", "two", 1, 2);
  EXPECT_THROW(g->insert_node({a, 0}, two, NamesMode::merge), Error);
}

TEST_F(GraphTest, TopologicalOrderHasProducersFirst) {
  const NodeId late = add("L", "late");
  chain();
  g->connect({c, 0}, {late, 0});
  const auto order = g->topological();
  const auto at = [&](NodeId n) { return std::find(order.begin(), order.end(), n) - order.begin(); };
  EXPECT_EQ(order.size(), 5U);
  EXPECT_LT(at(a), at(b));
  EXPECT_LT(at(b), at(c));
  EXPECT_LT(at(c), at(late));
}

TEST_F(GraphTest, SubGraphsKnowTheirParent) {
  chain();
  GraphPtr body = Graph::create(space, "body");
  g->set_attribute(b, "body", body);
  EXPECT_EQ(body->parent(), g.get());
  EXPECT_EQ(body->parent_node(), b);
  EXPECT_THAT(g->bodies(b), ElementsAre(body));
  g->set_attribute(b, "body", Attribute());
  EXPECT_EQ(body->parent(), nullptr);
  g->set_attribute(b, "body", body);
  g->remove_node(b);
  EXPECT_EQ(body->parent(), nullptr);
}

TEST_F(GraphTest, RemovedNodesAreGone) {
  chain();
  g->remove_node(b);
  EXPECT_FALSE(g->alive(b));
  EXPECT_FALSE(g->source({c, 0}));
  EXPECT_THAT(g->destinations({a, 0}), ElementsAre(PortRef{d, 0}));
  EXPECT_EQ(g->find("b"), no_node);
  const NodeId next = add("B", "b");
  EXPECT_NE(next, b);
}

}  // namespace
}  // namespace mo::core
