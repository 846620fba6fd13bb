// What inference has to look at again. An edit marks a node; a node is stale when a marked one is among its
// sources, near or far.
#include "core/graph/graph.hpp"

#include <algorithm>

namespace mo::core {

void Graph::note_mark(NodeId n) {
  if (marked(n)) return;
  flags_[n] |= is_marked;
  ++marked_count_;
  if (marked_.size() > 64 + 4 * marked_count_) compact_marked();
  marked_.push_back(n);
  suspects_.push_back(n);
  for (Graph* g = this; g->parent_ != nullptr && !g->is_in_changed_holders_; g = g->parent_) {
    g->is_in_changed_holders_ = true;
    g->parent_->changed_holders_.push_back(g->parent_node_);
  }
}

void Graph::mark(NodeId n) {
  if (marked(n)) return;
  note_mark(n);
  journal_edit(n, "mark", [this, n] {
    if ((flags_[n] & is_followed) == 0) unmark(n);
  });
}

void Graph::unmark(NodeId n) {
  if (!marked(n)) return;
  flags_[n] &= ~is_marked;
  --marked_count_;
}

void Graph::mark_if_followed(NodeId n) {
  if (alive(n) && (flags_[n] & is_followed) != 0) note_mark(n);
}

void Graph::compact_marked() {
  std::erase_if(marked_, [this](NodeId n) { return !marked(n); });
  std::sort(marked_.begin(), marked_.end());
  marked_.erase(std::unique(marked_.begin(), marked_.end()), marked_.end());
}

std::vector<NodeId> Graph::take_marked() {
  compact_marked();
  std::vector<NodeId> list = std::exchange(marked_, {});
  for (NodeId n : list) {
    unmark(n);
    journal_edit(n, "infer", [this, n] { note_mark(n); });
  }
  return list;
}

// Bodies.

void Graph::mark_changed_holders() {
  for (NodeId n : std::exchange(changed_holders_, {})) {
    if (!alive(n)) continue;
    for (const GraphPtr& body : bodies(n))
      if (std::exchange(body->is_in_changed_holders_, false)) mark(n);
  }
}

void Graph::forget_changes_of_bodies(NodeId n) {
  for (const GraphPtr& body : bodies(n)) body->is_in_changed_holders_ = false;
}

// Stale nodes.

// From what was marked, or connected to a stale node, since the last time. The readers of a stale node are
// stale or suspects, so the walk ends where an earlier one has been.
void Graph::spread_marks() {
  const auto reads_stale = [this](NodeId n) {
    return std::any_of(nodes_[n].inputs.begin(), nodes_[n].inputs.end(),
                       [this](const InSlot& in) { return in.source && stale(in.source.node); });
  };
  std::vector<NodeId> open;
  const auto reach = [&](NodeId n) {
    if (stale(n)) return;
    flags_[n] |= is_stale;
    stale_.push_back(n);
    open.push_back(n);
  };
  for (NodeId suspect : std::exchange(suspects_, {})) {
    if (!alive(suspect) || !(marked(suspect) || reads_stale(suspect))) continue;
    reach(suspect);
    while (!open.empty()) {
      const NodeId n = open.back();
      open.pop_back();
      for (const OutSlot& o : nodes_[n].outputs)
        for (PortRef d = o.first; d; d = nodes_[d.node].inputs[d.port].next) reach(d.node);
    }
  }
}

void Graph::set_all_fresh() {
  for (NodeId n : std::exchange(stale_, {})) set_fresh(n);
  suspects_.clear();
}

}  // namespace mo::core
