// What stood where a node stands now: an operation without inference takes its output shapes from there.
//
// The copy is a body of the node, so that transformations of later phases treat it like the rest of the
// model. It never reaches the IR.
#pragma once

#include "core/registry/session.hpp"

namespace mo::core {

namespace config_words {
inline constexpr std::string_view replaced = "mo.replaced";                  // graph
inline constexpr std::string_view replaced_inputs = "mo.replaced_inputs";    // in-port per Parameter of it
inline constexpr std::string_view replaced_outputs = "mo.replaced_outputs";  // out-port per Result of it
inline constexpr std::string_view ir_attributes =
    "mo.ir_attributes";  // names of attributes that go to the IR
}  // namespace config_words

// nullptr: the node has none.
GraphPtr replaced_graph(const Graph&, NodeId);
// Shapes and types of the node's outputs as the graph it replaced has them; unknown where that cannot be
// inferred either.
std::vector<TensorState> infer_replaced(Session&, Graph&, NodeId);
// Before the IR is written.
void drop_replaced(Graph&);

}  // namespace mo::core
