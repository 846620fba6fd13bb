// What must be true of a graph between two transformations.
#pragma once

#include "core/registry/session.hpp"

namespace mo::core {

// The outputs of a model as its users see them: how many, and by which names. What an operation keeps that
// acts without being read counts, too: an output may become state.
struct ModelOutputs {
  size_t count = 0;
  std::vector<Symbol> names;  // sorted
  static ModelOutputs of(const Session&, const Graph&);
};
// Failure when one is gone; when `any_may_go`, only when none is left.
void check_outputs(const Graph&, const ModelOutputs& before, const ModelOutputs& after, bool any_may_go);

// A node that edits touched.
struct Touched {
  Graph* graph;
  NodeId node;
  int lost = 0;            // inputs that were disconnected and not connected again
  bool connected = false;  // an input was connected
  bool made = false;       // it is new
  size_t edit;             // the last one that took an input away, or the last one
  std::string_view what;   // the last one that says what the node is or reads; "": none
};
std::vector<Touched> touched_since(const GraphSpace&, const Journal&, size_t start);
// "3 of 7: connect of 'a' (A)"
std::string place_of(const Journal&, size_t start, size_t edit);

struct Broken {
  Failure failure;  // names node and edit
  size_t edit;      // the last one at that node
};
// An input that is needed and was left unconnected, a name that leads to another node.
std::optional<Broken> check_touched(const Session&, const Journal&, size_t start,
                                    const std::vector<Touched>&);
// A cycle that the new connections close. Looks at what they lead to, and at the whole graph only when its
// levels are not known or much has moved.
std::optional<Broken> check_cycles(const Journal&, size_t start, const std::vector<Touched>&);

// Every node: connections, both ways; the indexes of ops and names; no cycle. Bodies, too.
void check_graph(const Graph&);

}  // namespace mo::core
