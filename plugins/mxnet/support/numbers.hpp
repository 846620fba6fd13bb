// Arithmetic, and truth values as numbers: what MXNet compares is 0 or 1 in the type of what is compared.
#pragma once

#include <mo/build.hpp>

namespace mo::mxnet {

// 1 where it holds, else 0, in the type of `like`; f32 where that is not known.
OutPort as_number(const Build& b, const OutPort& truth, const OutPort& like);
// Whether it is not 0. What as_number made is taken as it was before.
OutPort as_truth(const Build& b, const OutPort& number);
// Indices: numbers become i64, without what is after the point.
OutPort as_index(const Build& b, const OutPort& number);

}  // namespace mo::mxnet
