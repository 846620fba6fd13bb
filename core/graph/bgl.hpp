// A Graph as Boost.Graph sees it: vertices are living nodes, edges are connections.
//
//   BOOST_CONCEPT: VertexListGraph, BidirectionalGraph, AdjacencyGraph
//
// Node ids have gaps where nodes were removed, so there is no vertex_index: an algorithm that keeps data per
// vertex is given a map over Graph::end_id() ids (node_map below) and does not compile without one.
#pragma once

#include "core/graph/graph.hpp"

#include <boost/graph/adjacency_iterator.hpp>
#include <boost/graph/graph_concepts.hpp>
#include <boost/graph/graph_traits.hpp>
#include <boost/iterator/iterator_facade.hpp>
#include <boost/property_map/property_map.hpp>

namespace mo::core {

struct Connection {
  PortRef out, in;
  friend bool operator==(const Connection&, const Connection&) = default;
};

class NodeIterator
    : public boost::iterator_facade<NodeIterator, NodeId, boost::forward_traversal_tag, NodeId> {
 public:
  NodeIterator() = default;
  NodeIterator(const Graph& g, NodeId at) : graph_(&g), at_(at) { skip(); }

 private:
  friend class boost::iterator_core_access;
  NodeId dereference() const { return at_; }
  bool equal(const NodeIterator& o) const { return at_ == o.at_; }
  void increment() {
    ++at_;
    skip();
  }
  void skip() {
    while (at_ != graph_->end_id() && !graph_->alive(at_)) ++at_;
  }

  const Graph* graph_ = nullptr;
  NodeId at_ = 0;
};

// Connected inputs of a node, by port.
class InConnectionIterator : public boost::iterator_facade<InConnectionIterator, Connection,
                                                           boost::forward_traversal_tag, Connection> {
 public:
  InConnectionIterator() = default;
  InConnectionIterator(const Graph& g, NodeId node, size_t port)
      : inputs_(&g.node(node).inputs), at_{node, static_cast<uint32_t>(port)} {
    skip();
  }

 private:
  friend class boost::iterator_core_access;
  Connection dereference() const { return {(*inputs_)[at_.port].source, at_}; }
  bool equal(const InConnectionIterator& o) const { return at_ == o.at_; }
  void increment() {
    ++at_.port;
    skip();
  }
  void skip() {
    while (at_.port < inputs_->size() && !(*inputs_)[at_.port].source) ++at_.port;
  }

  const InSlots* inputs_ = nullptr;
  PortRef at_;
};

// Connections that leave a node: by out-port, then in order of connection.
class OutConnectionIterator : public boost::iterator_facade<OutConnectionIterator, Connection,
                                                            boost::forward_traversal_tag, Connection> {
 public:
  OutConnectionIterator() = default;
  OutConnectionIterator(const Graph& g, NodeId node, size_t port)
      : graph_(&g), at_{{node, static_cast<uint32_t>(port)}, {}} {
    find();
  }

 private:
  friend class boost::iterator_core_access;
  Connection dereference() const { return at_; }
  bool equal(const OutConnectionIterator& o) const { return at_ == o.at_; }
  void increment() {
    at_.in = graph_->node(at_.in.node).inputs[at_.in.port].next;
    if (at_.in) return;
    ++at_.out.port;
    find();
  }
  void find() {
    const auto& outputs = graph_->node(at_.out.node).outputs;
    for (; at_.out.port < outputs.size(); ++at_.out.port)
      if ((at_.in = outputs[at_.out.port].first)) return;
  }

  const Graph* graph_ = nullptr;
  Connection at_;
};

// Data per node in a vector of end_id() elements.
template <class T>
auto node_map(std::vector<T>& data) {
  return boost::make_iterator_property_map(data.begin(), boost::typed_identity_property_map<NodeId>());
}

}  // namespace mo::core

template <>
struct boost::graph_traits<mo::core::Graph> {
  using vertex_descriptor = mo::core::NodeId;
  using edge_descriptor = mo::core::Connection;
  using directed_category = boost::bidirectional_tag;
  using edge_parallel_category = boost::allow_parallel_edge_tag;
  struct traversal_category : boost::bidirectional_graph_tag,
                              boost::vertex_list_graph_tag,
                              boost::adjacency_graph_tag {};
  using vertex_iterator = mo::core::NodeIterator;
  using in_edge_iterator = mo::core::InConnectionIterator;
  using out_edge_iterator = mo::core::OutConnectionIterator;
  using adjacency_iterator =
      boost::adjacency_iterator_generator<mo::core::Graph, vertex_descriptor, out_edge_iterator>::type;
  using vertices_size_type = size_t;
  using edges_size_type = size_t;
  using degree_size_type = size_t;
  static vertex_descriptor null_vertex() { return mo::core::no_node; }
};

// Found by argument-dependent lookup.
namespace mo::core {

inline std::pair<NodeIterator, NodeIterator> vertices(const Graph& g) {
  return {NodeIterator(g, 0), NodeIterator(g, g.end_id())};
}
inline size_t num_vertices(const Graph& g) { return g.size(); }

inline NodeId source(const Connection& c, const Graph&) { return c.out.node; }
inline NodeId target(const Connection& c, const Graph&) { return c.in.node; }

inline std::pair<InConnectionIterator, InConnectionIterator> in_edges(NodeId n, const Graph& g) {
  return {InConnectionIterator(g, n, 0), InConnectionIterator(g, n, g.node(n).inputs.size())};
}
inline size_t in_degree(NodeId n, const Graph& g) {
  size_t degree = 0;
  for (const InSlot& i : g.node(n).inputs) degree += i.source ? 1 : 0;
  return degree;
}
inline std::pair<OutConnectionIterator, OutConnectionIterator> out_edges(NodeId n, const Graph& g) {
  return {OutConnectionIterator(g, n, 0), OutConnectionIterator(g, n, g.node(n).outputs.size())};
}
inline size_t out_degree(NodeId n, const Graph& g) {
  size_t degree = 0;
  for (const OutSlot& o : g.node(n).outputs) degree += o.destinations;
  return degree;
}
inline size_t degree(NodeId n, const Graph& g) { return in_degree(n, g) + out_degree(n, g); }

inline auto adjacent_vertices(NodeId n, const Graph& g) {
  using Iterator = boost::graph_traits<Graph>::adjacency_iterator;
  const auto [first, last] = out_edges(n, g);
  return std::pair(Iterator(first, &g), Iterator(last, &g));
}

}  // namespace mo::core
