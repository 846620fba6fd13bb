#include "core/graph/graph.hpp"

namespace mo::core {

Attribute clone_of(const Attribute& value) {
  const auto copy = [](const GraphPtr& g) { return g == nullptr ? g : g->clone(); };
  if (const auto* g = std::get_if<GraphPtr>(&value)) return copy(*g);
  if (const auto* list = std::get_if<std::vector<GraphPtr>>(&value)) {
    std::vector<GraphPtr> copies;
    for (const GraphPtr& g : *list) copies.push_back(copy(g));
    return copies;
  }
  return value;
}

// Nodes keep their order, and readers theirs.
GraphPtr Graph::clone() const {
  GraphPtr made = create(space_, name_);
  Graph& copy = *made;
  copy.attributes_ = attributes_;
  std::vector<NodeId> copies(end_id(), no_node);
  for (NodeId n = 0; n < end_id(); ++n) {
    if (!alive(n)) continue;
    const NodeId id = copies[n] = copy.add_copy(nodes_[n]);
    if (marked(n)) copy.mark(id);
  }
  for (NodeId n = 0; n < end_id(); ++n)
    for (uint32_t port = 0; port < nodes_[n].outputs.size(); ++port)
      for (PortRef d = nodes_[n].outputs[port].first; d; d = nodes_[d.node].inputs[d.port].next)
        copy.link({copies[n], port}, {copies[d.node], d.port}, {});
  copy.has_levels_ = has_levels_;
  copy.may_be_body_ = true;
  return made;
}

// Not connected yet.
NodeId Graph::add_copy(const NodeRecord& from) {
  const auto id = static_cast<NodeId>(nodes_.size());
  NodeRecord& n = nodes_.emplace_back(from);
  flags_.push_back(is_alive);
  ops_.push_back(n.op);
  ++alive_count_;
  for (InSlot& in : n.inputs) in = {};
  for (OutSlot& out : n.outputs) {
    out.first = out.last = {};
    out.destinations = 0;
  }
  for (auto& [key, value] : n.attributes.items()) {
    value = clone_of(value);
    adopt_bodies(id, value, true);
  }
  name_add(id);
  index_add(id);
  count_edit();
  return id;
}

}  // namespace mo::core
