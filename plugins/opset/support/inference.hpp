// What the inference of many operations has in common: element types, attribute lists, axes, and bounds of
// elements.
#pragma once

#include "support/real_interval.hpp"

namespace mo::opset {

// The one element type of several inputs; an unknown type goes with any. Error where two differ.
ElementType common_type(const InferContext& c, std::initializer_list<size_t> inputs);
// Error unless the type of an input is unknown or as the name says.
void require_number(const InferContext& c, size_t input);
void require_float(const InferContext& c, size_t input);
void require_integer(const InferContext& c, size_t input);
void require_boolean(const InferContext& c, size_t input);

// Error unless an input may have `rank` dimensions, or between `least` and `most`.
void require_rank(const Shape& s, std::string_view what, int64_t rank);
void require_rank(const Shape& s, std::string_view what, int64_t least, int64_t most);
// Error unless the shape of an input allows `count` elements.
void require_elements(const InferContext& c, size_t input, std::string_view what, int64_t count);

// The common part of two dimensions that must be equal; error otherwise.
Dim same_dim(const Dim& a, const Dim& b, std::string_view what);

// The multiples of n in an interval of sizes; error when there are none.
Dim multiples(const Dim& d, int64_t n, std::string_view what);
// The factors f for which f * other may be the product; error when there are none.
Dim factor_of(const Dim& product, const Dim& f, const Dim& other, std::string_view what);

// A list attribute with one number of at least `least` for each of `n` dimensions. Absent or empty: all
// `fallback`, and without one an error.
std::vector<int64_t> list_attr(const OpContext& c, std::string_view name, size_t n, int64_t least,
                               std::optional<int64_t> fallback = std::nullopt);
int64_t int_attr(const OpContext& c, std::string_view name, int64_t least,
                 int64_t most = std::numeric_limits<int64_t>::max());

// An attribute that chooses i32 or i64.
ElementType index_type_attr(const OpContext& c, std::string_view name);

// The axes a constant input names, in its order, each from 0 to rank-1 and once; nothing when they are not
// known.
std::optional<std::vector<size_t>> axes_input(const InferContext& c, size_t input, size_t rank);
std::vector<size_t> unique_axes(const std::vector<int64_t>& axes, size_t rank, std::string_view what);
// How many elements a vector (or scalar, which counts as one) of an input has; any_dim when that is not
// known.
Dim vector_length(const InferContext& c, size_t input, std::string_view what);
// The only element of an input, when known.
std::optional<int64_t> scalar_input(const InferContext& c, size_t input, std::string_view what);

// Bounds: what is known about the elements of small tensors, mostly shapes on their way through the
// graph. Those of floats are whole numbers, too, rounded outwards.
inline constexpr int64_t bounds_limit = 1024;
bool may_have_bounds(ElementType type, const Shape& shape);
// Intervals of the elements of an input; nothing when none are known.
std::optional<std::vector<Interval>> intervals(const InferContext& c, size_t input);
// With `count` unknown ones instead of nothing.
std::vector<Interval> intervals_or_unknown(const InferContext& c, size_t input, size_t count);
// The same of floats, exact where an input has a value.
std::vector<RealInterval> reals_or_unknown(const InferContext& c, size_t input, size_t count);
// What the elements of a floating-point type make of computed ends, in whole numbers.
Interval outwards(ElementType type, const RealInterval& v);
// True when not all inputs have values, so that evaluate will not be asked, but bounds of one of them are
// known.
bool bounds_wanted(const InferContext& c, std::initializer_list<size_t> inputs);
// An output of static shape and what is known about its elements. When that is everything and they are no
// floats, it gets a value: bounds do not tell the zeros of floats apart.
void output_intervals(const InferContext& c, uint32_t output, ElementType type, const Shape& shape,
                      const std::vector<Interval>& elements);

// The shape that an input of integers describes, as far as it is known. Negative entries are errors.
Shape shape_input(const InferContext& c, size_t input, std::string_view what);

}  // namespace mo::opset
