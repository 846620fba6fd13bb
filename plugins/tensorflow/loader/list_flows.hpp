// The edges called "flow", which say in which order a TensorArray is written.
#pragma once

#include "loader/model.hpp"

namespace mo::tensorflow {

// TensorFlow has flows as numbers of f32, whatever the elements are. They are made variants, as the lists of
// TensorFlow 2 are, for here a flow is the list itself, and has the type of its elements. Handles say
// nothing besides: nobody looks at them, and what has one as an input gets another one twice.
void make_flows_lists(TensorflowModel&, Body&);

}  // namespace mo::tensorflow
