#include "core/graph/graph.hpp"

namespace mo::core {

void Journal::record(Graph* g, NodeId node, std::string_view what, std::function<void()> undo) {
  edits_.push_back({g, g->serial(), node, what, std::move(undo)});
}

void Journal::roll_back(size_t keep) {
  while (edits_.size() > keep) {
    const Edit edit = std::move(edits_.back());
    edits_.pop_back();
    edit.undo();
    edit.graph->mark_if_followed(edit.node);
  }
}

}  // namespace mo::core
