// Variables that a model writes to before it reads them. The host's graph has no order but that of values: a
// read that waits for an assignment reads what was assigned.
//
//   ReadVariableOp(v, ^AssignVariableOp(v, x))   ->   ReadVariableOp(x)
#pragma once

#include "loader/model.hpp"

namespace mo::tensorflow {

// What is read behind assignments that nobody can tell the last one of becomes an operator that no plugin
// knows.
void order_assignments(TensorflowModel&, const Scope&, Body&);

}  // namespace mo::tensorflow
