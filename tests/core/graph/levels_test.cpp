// Levels stay above those of the sources, whatever is connected, and tell when there is a cycle.
#include <gtest/gtest.h>

#include <random>

#include "apps/views/text.hpp"
#include "core/graph/levels.hpp"
#include "core/support/failure.hpp"

namespace mo::core {
namespace {

void expect_levels(const Graph& g) {
  for (NodeId n : g.nodes())
    for (const InSlot& in : g.node(n).inputs)
      if (in.source) {
        ASSERT_LT(g.node(in.source.node).level, g.node(n).level) << describe(g, n);
      }
}

TEST(Levels, APutInBetweenNodeMovesNothing) {
  const GraphPtr g = app::parse_text("%a = A\n%b = B (%a)\n%c = C (%b)", std::make_shared<GraphSpace>());
  set_levels(*g);
  EXPECT_TRUE(g->has_levels());
  const uint32_t b = g->node(1).level;
  const NodeId between = g->add_node("X", "", "x", 1, 1);
  g->connect({0, 0}, {between, 0});
  g->connect({between, 0}, {1, 0});
  size_t budget = 100;
  EXPECT_TRUE(raise_levels(*g, between, budget));
  EXPECT_TRUE(raise_levels(*g, 1, budget));
  EXPECT_EQ(g->node(1).level, b);
  EXPECT_EQ(budget, 98U);
  expect_levels(*g);
}

// Against the walk over the whole graph: 2000 random connections, some of which close a cycle.
TEST(Levels, CyclesAreFoundWhenTheyAreClosed) {
  std::mt19937 random(7);
  size_t cycles = 0, raised = 0;
  for (int round = 0; round < 100; ++round) {
    const GraphPtr g = Graph::create(std::make_shared<GraphSpace>(), "g");
    for (int i = 0; i < 30; ++i) g->add_node("A", "", "", 2, 1);
    set_levels(*g);
    for (int i = 0; i < 20; ++i) {
      const NodeId from = static_cast<NodeId>(random() % 30), to = static_cast<NodeId>(random() % 30);
      g->connect({from, 0}, {to, static_cast<uint32_t>(random() % 2)});
      size_t budget = 2000;
      const bool fine = raise_levels(*g, to, budget);
      ASSERT_EQ(fine, find_cycle(*g).empty());
      if (!fine) {
        ++cycles;
        EXPECT_THROW(set_levels(*g), Failure);
        break;
      }
      ++raised;
      expect_levels(*g);
    }
  }
  EXPECT_GT(cycles, 20U);
  EXPECT_GT(raised, 500U);
}

}  // namespace
}  // namespace mo::core
