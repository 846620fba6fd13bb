// What converters of many operators need: truth values, parts along a dimension, places and their counts.
#pragma once

#include "support/call.hpp"

namespace mo::pytorch {

// x as floats, as functions of real numbers read integers.
OutPort as_float(const Call& c, const OutPort& x);
// Whether elements are not 0.
OutPort as_truth(const Call& c, const OutPort& x);
// x as a type; numbers are true when they are not 0.
OutPort as_type(const Call& c, const OutPort& x, ElementType type);

// Indices may count from the end.
OutPort gather(const Call& c, const OutPort& x, const OutPort& indices, int64_t axis);
// From `begin` up to `end` in steps, lists of one element each, as Python slices.
OutPort slice(const Call& c, const OutPort& x, int64_t axis, const OutPort& begin, const OutPort& end,
              int64_t step = 1);
OutPort slice(const Call& c, const OutPort& x, int64_t axis, int64_t begin, int64_t end, int64_t step = 1);
// The other way round along a dimension.
OutPort reversed(const Call& c, const OutPort& x, int64_t axis);

// 0, 1, … below a scalar.
OutPort count_to(const Call& c, const OutPort& size);
// The size of a dimension, a scalar.
OutPort size_of(const Call& c, const OutPort& x, int64_t axis);
// A list of one element and a scalar of the same number.
OutPort as_list(const Call& c, const OutPort& scalar);
OutPort as_scalar(const Call& c, const OutPort& list);
// All elements in one dimension.
OutPort flat(const Call& c, const OutPort& x);
// All dimensions but the last two become one; one of size 1 is added where there are none.
OutPort transposed(const Call& c, const OutPort& x);  // the last two change places
// Dimension `from` comes to stand at `to`.
OutPort moved(const Call& c, const OutPort& x, size_t from, size_t to);
// 0, 1, … rank - 1.
Ints counted(size_t rank);

// The number of elements along some dimensions, a scalar of the type of x.
OutPort count_of(const Call& c, const OutPort& x, const Ints& axes);
// Mean over dimensions, which stay as ones.
OutPort mean_of(const Call& c, const OutPort& x, const Ints& axes);
// Mean of the squares of distances from the mean, which stays as ones.
OutPort variance_of(const Call& c, const OutPort& x, const Ints& axes);

// Of vectors along dimensions the norm of order p; of order 0 how many elements are not 0.
OutPort norm_of(const Call& c, const OutPort& x, double p, const OutPort& axes, bool keep);

// Complex numbers by their parts, along a last dimension of two.
struct Parts {
  OutPort real, imaginary;
};
Parts taken_apart(const Call& c, const OutPort& x);
OutPort joined(const Call& c, const Parts& z);
// The complex numbers of these sizes and angles.
OutPort turned_by(const Call& c, const OutPort& size, const OutPort& angle);
OutPort conjugate(const Call& c, const OutPort& z);
OutPort complex_product(const Call& c, const OutPort& x, const OutPort& y);
// A tensor or number as complex ones, whatever it is.
OutPort as_complex(const Call& c, std::string_view name, ElementType type);
OutPort with_imaginary_zeros(const Call& c, const OutPort& x);

OutPort sigmoid(const Call& c, const OutPort& x);
// By Horner's rule, highest power first.
OutPort polynomial(const Call& c, const OutPort& x, const std::vector<double>& factors);
// y, and where x is no number x: least and greatest of numbers and none are numbers in OpenVINO.
OutPort keeping_nan(const Call& c, const OutPort& x, const OutPort& y);
// Where x < limit.
OutPort is_less(const Call& c, const OutPort& x, const OutPort& limit);

}  // namespace mo::pytorch
