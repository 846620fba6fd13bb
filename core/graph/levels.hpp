// Levels: that of a node is above those of its sources. They order inference and visits, and a connection
// that closes a cycle is found at the cost of what it touches.
#pragma once

#include "core/graph/graph.hpp"

namespace mo::core {

// Gives every node its level; returns the order of Graph::topological. Failure names the nodes of a cycle.
std::vector<NodeId> set_levels(Graph&);

// The inputs of `n` have changed: raises what has to be raised, `n` and what depends on it. `budget` counts
// down; false: it is used up, because there is a cycle or because set_levels is cheaper.
bool raise_levels(Graph&, NodeId n, size_t& budget);

// The nodes of one cycle, in the direction of data; empty when there is none.
std::vector<NodeId> find_cycle(const Graph&);
// "'a' (A) -> 'b' (B) -> 'a' (A)"
std::string cycle_text(const Graph&, const std::vector<NodeId>&);

}  // namespace mo::core
