#include "core/graph/bgl.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/reverse_graph.hpp>

#include "core/graph/text.hpp"

namespace mo::core {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

BOOST_CONCEPT_ASSERT((boost::VertexListGraphConcept<Graph>));
BOOST_CONCEPT_ASSERT((boost::BidirectionalGraphConcept<Graph>));
BOOST_CONCEPT_ASSERT((boost::AdjacencyGraphConcept<Graph>));
BOOST_CONCEPT_ASSERT((boost::BidirectionalGraphConcept<boost::reverse_graph<Graph>>));

template <class Range>
auto list(Range range) {
  return std::vector(range.first, range.second);
}

GraphPtr diamond() {
  return parse_text(R"(
    %x = Parameter
    %gone = Relu (%x)
    %s = Split (%x) -> (_, _)
    %b = Relu (%s:1)
    %j = Join (%b, _, %s, %s:1) -> ()
  )",
                    std::make_shared<GraphSpace>());
}

TEST(Bgl, VerticesAreLivingNodes) {
  const GraphPtr g = diamond();
  g->remove_node(g->find("gone"));
  g->remove_node(g->find("j"));
  EXPECT_THAT(list(vertices(*g)), ElementsAre(g->find("x"), g->find("s"), g->find("b")));
  EXPECT_EQ(num_vertices(*g), 3U);
}

TEST(Bgl, AnEmptyGraphHasNoVertices) {
  const GraphPtr g = Graph::create(std::make_shared<GraphSpace>(), "");
  EXPECT_TRUE(list(vertices(*g)).empty());
}

TEST(Bgl, EdgesAreConnections) {
  const GraphPtr g = diamond();
  const NodeId x = g->find("x"), s = g->find("s"), b = g->find("b"), j = g->find("j");
  EXPECT_THAT(list(out_edges(s, *g)), ElementsAre(Connection{{s, 0}, {j, 2}}, Connection{{s, 1}, {b, 0}},
                                                  Connection{{s, 1}, {j, 3}}));
  EXPECT_THAT(list(in_edges(j, *g)), ElementsAre(Connection{{b, 0}, {j, 0}}, Connection{{s, 0}, {j, 2}},
                                                 Connection{{s, 1}, {j, 3}}));
  EXPECT_EQ(out_degree(s, *g), 3U);
  EXPECT_EQ(in_degree(j, *g), 3U);
  EXPECT_EQ(degree(b, *g), 2U);
  EXPECT_THAT(list(adjacent_vertices(s, *g)), ElementsAre(j, b, j));
  EXPECT_TRUE(list(in_edges(x, *g)).empty());
  EXPECT_TRUE(list(out_edges(j, *g)).empty());
  EXPECT_EQ(source(*out_edges(s, *g).first, *g), s);
  EXPECT_EQ(target(*out_edges(s, *g).first, *g), j);
}

TEST(Bgl, AlgorithmsRunOnIt) {
  const GraphPtr g = diamond();
  std::vector<boost::default_color_type> colors(g->end_id());
  boost::queue<NodeId> queue;
  boost::breadth_first_search(boost::make_reverse_graph(*g), g->find("b"), queue, boost::bfs_visitor<>(),
                              node_map(colors));
  std::vector<NodeId> reached;
  for (NodeId n = 0; n < g->end_id(); ++n)
    if (colors[n] == boost::black_color) reached.push_back(n);
  EXPECT_THAT(reached, UnorderedElementsAre(g->find("b"), g->find("s"), g->find("x")));
}

}  // namespace
}  // namespace mo::core
