// Whether a model has images or volumes with channels last.
#pragma once

#include "loader/model.hpp"

namespace mo::tensorflow {

// Remembers an operation that works on channels in the last dimension and has a counterpart only for channels
// in the second one.
void note_layout(TensorflowModel&, const NodeDef&, const Scope&);

}  // namespace mo::tensorflow
