// Shapes of what a layer reads, computed as far as they are needed.
#pragma once

#include <mo/build.hpp>

namespace mo::caffe {

Shape shape_of(const OutPort& x);
// Errors of the next two: it is not known; --input_shape gives it.
size_t rank_of(const OutPort& x);
int64_t dim_of(const OutPort& x, size_t axis);
// From 0 on; where it is negative it counts from the end. `what` names it in errors.
size_t axis_of(int64_t given, const OutPort& x, std::string_view what);

}  // namespace mo::caffe
