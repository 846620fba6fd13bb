// What must be true of a graph between two transformations.
#pragma once

#include "core/host/session.hpp"

namespace mo::core {

// The outputs of a model as its users see them: how many, and by which names.
struct ModelOutputs {
  size_t count = 0;
  std::vector<Symbol> names;  // sorted
  static ModelOutputs of(const Graph&);
};
// Failure when one is gone.
void check_outputs(const Graph&, const ModelOutputs& before, const ModelOutputs& after);

struct Broken {
  Failure failure;  // names node and edit
  size_t edit;      // the last one at that node
};
// Looks at the nodes that the edits from `start` on touched: an input that is needed and was left
// unconnected, a name that leads to another node.
std::optional<Broken> check_touched(const Session&, const Journal&, size_t start);

// Sorted by address: an edit's graph may be gone.
std::vector<const Graph*> living_graphs(const GraphSpace&);

// Every node: connections, both ways; the indexes of ops and names; no cycle. Bodies, too.
void check_graph(const Graph&);

}  // namespace mo::core
