#include "core/graph/bgl.hpp"
#include "core/graph/levels.hpp"
#include "core/support/failure.hpp"

#include <boost/graph/reverse_graph.hpp>
#include <boost/graph/topological_sort.hpp>

#include <algorithm>

namespace mo::core {

namespace {

using Color = boost::default_color_type;

// After a search that met a cycle, the gray nodes are the path it was on: each of them reads another gray
// one.
std::vector<NodeId> cycle_among(const Graph& g, const std::vector<Color>& colors) {
  const auto gray = [&](NodeId n) { return colors[n] == Color::gray_color; };
  const auto gray_producer = [&](NodeId n) {
    for (const InSlot& i : g.node(n).inputs)
      if (i.source && gray(i.source.node)) return i.source.node;
    return no_node;
  };
  NodeId at = 0;
  while (!gray(at)) ++at;
  std::vector<uint32_t> place(g.end_id(), 0);  // 1 + place in path
  std::vector<NodeId> path;
  while (place[at] == 0) {
    path.push_back(at);
    place[at] = static_cast<uint32_t>(path.size());
    at = gray_producer(at);
  }
  path.erase(path.begin(), path.begin() + (place[at] - 1));
  std::reverse(path.begin(), path.end());  // in the direction of data
  std::rotate(path.begin(), std::min_element(path.begin(), path.end()), path.end());
  return path;
}

}  // namespace

std::vector<NodeId> find_cycle(const Graph& g) {
  std::vector<Color> colors(g.end_id(), Color::white_color);
  const auto backwards = boost::make_reverse_graph(g);
  try {
    std::vector<NodeId> order;
    boost::topological_sort(backwards, std::back_inserter(order), boost::color_map(node_map(colors)));
    return {};
  } catch (const boost::not_a_dag&) {  // the colours tell where
    return cycle_among(g, colors);
  }
}

std::string cycle_text(const Graph& g, const std::vector<NodeId>& cycle) {
  constexpr size_t shown = 12;
  std::string path;
  for (size_t i = 0; i < cycle.size() && i < shown; ++i) path += describe(g, cycle[i]) + " -> ";
  if (cycle.size() > shown) path += text("… ", cycle.size() - shown, " more … -> ");
  return path + describe(g, cycle.front());
}

namespace {

[[noreturn]] void fail_with_cycle(const Graph& g) {
  const std::vector<NodeId> cycle = find_cycle(g);
  throw Failure(Exit::model, "MO0301",
                text("the graph '", g.name(), "' has a cycle of ", cycle.size(),
                     cycle.size() == 1 ? " node" : " nodes"))
      .with("cycle", cycle_text(g, cycle))
      .with("hint", "a node cannot need its own result; loops are written as operations with a body");
}

}  // namespace

// The order of boost::topological_sort along the inputs, in a third of its time: every conversion takes this
// walk three times. Ends early at a cycle.
std::vector<NodeId> Graph::topological() const {
  enum : uint8_t { fresh, open, listed };
  std::vector<NodeId> order;
  order.reserve(size());
  std::vector<uint8_t> state(end_id(), fresh);
  std::vector<std::pair<NodeId, uint32_t>> path;  // nodes that wait for a producer, and the port they are at
  for (NodeId start = 0; start < end_id(); ++start) {
    if (state[start] != fresh || !alive(start)) continue;
    path.emplace_back(start, 0);
    while (!path.empty()) {
      const NodeId n = path.back().first;
      const InSlots& inputs = nodes_[n].inputs;
      uint32_t port = path.back().second;
      while (port < inputs.size() && (!inputs[port].source || state[inputs[port].source.node] == listed))
        ++port;
      if (port == inputs.size()) {
        state[n] = listed;
        order.push_back(n);
        path.pop_back();
        continue;
      }
      state[n] = open;
      path.back().second = port;
      const NodeId producer = inputs[port].source.node;
      if (state[producer] == open) fail_with_cycle(*this);
      path.emplace_back(producer, 0);
    }
  }
  return order;
}

}  // namespace mo::core
