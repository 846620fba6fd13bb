// Shapes of what an operator reads, and attributes that depend on them.
#pragma once

#include <mo/build.hpp>

namespace mo::mxnet {

// Known now; also of what was made a moment ago.
Shape shape_of(const Build& b, const OutPort& x);
// Errors of these three: it is not known; --input_shape gives it.
size_t rank_of(const Build& b, const OutPort& x);
int64_t dim_of(const Build& b, const OutPort& x, size_t axis);
// An attribute that counts from the end where it is negative.
size_t axis_of(const Build& b, const OutPort& x, int64_t axis);

// One number, or a list of them; the fallback where there is none.
Ints ints_of(const SourceNode& n, std::string_view name, const Ints& fallback = {});
std::vector<double> floats_of(const SourceNode& n, std::string_view name,
                              const std::vector<double>& fallback);
// As many as `count` says, where it is not 0; the fallback stands for an empty list, too.
std::vector<double> floats_of(const SourceNode& n, std::string_view name, const std::vector<double>& fallback,
                              size_t count);
// One number for each spatial dimension: a single one counts for all. At least `least`.
Ints spatial_of(const SourceNode& n, std::string_view name, size_t count, int64_t fallback, int64_t least);
// Numbers or None.
std::vector<std::optional<int64_t>> optional_ints_of(const SourceNode& n, std::string_view name);

// As often as `shape`, a list of sizes, says.
// A list of numbers as the shape that adds them to dimension `axis` of `rank`.
OutPort along(const Build& b, const OutPort& list, size_t axis, size_t rank);

}  // namespace mo::mxnet
