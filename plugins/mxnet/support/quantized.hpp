// Tensors of 8 bits with the two ends of their range beside them. In the graph each stands for the numbers
// that it means: floats that have passed a FakeQuantize, or weights of 8 bits that are scaled.
#pragma once

#include <mo/build.hpp>

namespace mo::mxnet {

struct Ends {
  OutPort low, high;
};
// Inputs `first` and the one behind it.
Ends range_at(const Build& b, size_t first);
// The greater of both ends without their signs.
OutPort reach_of(const Build& b, const Ends& r);
// From -reach to reach.
Ends around_zero(const Build& b, const OutPort& reach);
// Attributes min_calib_range and max_calib_range; nothing where they are not both there.
std::optional<Ends> calibrated(const Build& b, const SourceNode& n);
// The range that x itself has.
Ends actual(const Build& b, const OutPort& x);

// {x rounded to levels, low, high}: 255 levels around zero for int8, 256 from low to high for uint8.
Ports rounded_around_zero(const Build& b, const OutPort& x, const OutPort& reach);
Ports rounded_between(const Build& b, const OutPort& x, const Ends& r);
// As tensors of this range are: those of uint8 have nothing below 0.
Ports rounded(const Build& b, const OutPort& x, const Ends& r);

// What input i, of this range, means.
OutPort meaning(const Build& b, size_t i, const Ends& r);

}  // namespace mo::mxnet
