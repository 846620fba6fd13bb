// Parts of planning: what an IR version can express and a release of the runtime has, and names that users
// need.
#pragma once

#include "core/ir/plan.hpp"

namespace mo::core {

// What is true of every node of this op and opset.
LayerKind make_kind(const Registry&, const Graph&, NodeId, const IrReader&);

// What is true of one layer.
void check_layer(const Session&, const Graph&, const Layer&, const IrReader&, Problems&);

// Reads port map and back edges of a planned body from the node's attributes.
void read_port_map(const Graph&, const Layer&, Body&, Problems&);

// Gives names to model inputs and outputs without one, and finds names that are used twice.
void name_border_tensors(ModelPlan&, Problems&);

}  // namespace mo::core
