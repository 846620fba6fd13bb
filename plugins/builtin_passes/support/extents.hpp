// What dimensions are in terms of those of one tensor: numbers, and dimensions that are open.
#pragma once

#include <mo/sdk.hpp>

#include <optional>

namespace mo::builtin_passes {

// number * the open dimensions of the tensor with these indices
struct Extent {
  int64_t number = 1;
  std::vector<size_t> open;

  friend bool operator==(const Extent&, const Extent&) = default;
  bool is_number() const { return open.empty(); }
};
using Extents = std::vector<Extent>;

Extent operator*(const Extent&, const Extent&);
// Nothing when it is no whole number of what is left.
std::optional<Extent> operator/(const Extent&, const Extent&);
Extent product_of(const Extents&, size_t begin, size_t end);

// Of a tensor of known rank; of one without elements, nothing.
std::optional<Extents> extents_of(const OutPort& x);

// What a Reshape of a tensor with dimensions `have` makes of them, in terms of x.
std::optional<Extents> reshaped_extents(const Node& reshape, const Extents& have, const OutPort& x);

}  // namespace mo::builtin_passes
