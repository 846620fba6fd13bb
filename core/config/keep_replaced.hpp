// What a configured operation replaces is kept with it.
#pragma once

#include "core/match/match.hpp"

namespace mo::core {

// Keeps a copy of the matched nodes with `node`, when that has no inference of its own: see
// core/infer/replaced_graph.hpp. Ports are pairs of (number of the match's input or output, port of the
// node).
void keep_replaced(Session&, Match&, NodeId node, const std::vector<std::pair<uint32_t, uint32_t>>& inputs,
                   const std::vector<std::pair<uint32_t, uint32_t>>& outputs);

}  // namespace mo::core
