// Graphs as attributes. A graph has one holder, a node; whoever moves it takes it from there first.
#pragma once

#include "core/registry/session.hpp"

namespace mo::core {

// Sets an attribute of a node, which holds the graphs in it from now on. Error(MO_INVALID_ARGUMENT): one of
// them has a holder, is the graph of the node or one around that, is the model, or stands there twice.
void set_attribute_of_node(Session&, Graph&, NodeId, std::string_view key, Attribute value);

// What only nodes hold. Error(MO_INVALID_ARGUMENT).
Attribute without_graphs(Attribute);

// Graphs that lose their holder by the next edit of `g` live on as loose ones when no journal remembers them.
void keep_what_is_let_go(Session&, const Graph& g, const std::vector<GraphPtr>&);

}  // namespace mo::core
