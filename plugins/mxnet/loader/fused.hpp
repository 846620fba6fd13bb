// Operators that a runtime has fused, and whose sub-graph says of what: _sg_mkldnn_conv and the like.
#pragma once

#include "loader/symbol.hpp"

namespace mo::mxnet {

// Puts what was fused in their place. One that is quantized reads what its inputs mean, and is rounded to its
// calibrated range; what is computed between is not. One without a sub-graph stays. Errors: inputs that do
// not fit the sub-graph; one without a range whose numbers are not rounded next.
void expand_fused(Symbol& s);

}  // namespace mo::mxnet
