// Loops and branches of TensorFlow 1 in what the loader reads: see loader/flow.hpp.
#pragma once

#include "loader/model.hpp"

namespace mo::tensorflow {

// Frames become While with bodies "cond" and "body", Switch and Merge become If with "then_branch" and
// "else_branch". No node of the body reads another one in a circle behind it.
void lower_control_flow(TensorflowModel& model, const Scope& scope, Body& body);

}  // namespace mo::tensorflow
