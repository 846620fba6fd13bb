// Bodies from messages: names of inputs become numbers of nodes and outputs.
#pragma once

#include "loader/model.hpp"

namespace mo::tensorflow {

// Errors: a node without a name or operator, two of one name, an input that no node gives.
Body read_graph(TensorflowModel&, Bytes graph_def, const Scope&);
Body read_function(TensorflowModel&, const Scope&);  // the scope's function

// "node 'conv1' (Conv2D)", for messages.
std::string describe(const NodeDef& node);

}  // namespace mo::tensorflow
