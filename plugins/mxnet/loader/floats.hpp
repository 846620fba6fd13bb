// Arrays of whatever type as f32, which is what MXNet's networks compute with here.
#pragma once

#include <mo/tensor.hpp>

namespace mo::mxnet {

// Its elements are converted when they are read. `t` itself where it is f32.
Tensor as_floats(Context c, const Tensor& t);

}  // namespace mo::mxnet
