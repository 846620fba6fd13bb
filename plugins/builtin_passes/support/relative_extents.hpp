// What dimensions are in terms of those of one tensor: numbers, and dimensions that are open.
#pragma once

#include <mo/sdk.hpp>
#include <mo/symbols.hpp>

#include <optional>

namespace mo::builtin_passes {

// number * the open dimensions of the tensor with these indices
struct RelativeExtent {
  int64_t number = 1;
  std::vector<size_t> open;

  friend bool operator==(const RelativeExtent&, const RelativeExtent&) = default;
  bool is_number() const { return open.empty(); }
};
using RelativeExtents = std::vector<RelativeExtent>;

RelativeExtent operator*(const RelativeExtent&, const RelativeExtent&);
// Nothing when it is no whole number of what is left.
std::optional<RelativeExtent> operator/(const RelativeExtent&, const RelativeExtent&);
RelativeExtent product_of(const RelativeExtents&, size_t begin, size_t end);

// Of a tensor of known rank; of one without elements, nothing.
std::optional<RelativeExtents> extents_of(const OutPort& x);

// What a Reshape of a tensor with dimensions `have` makes of them, in terms of x. The symbols are of the run: who asks
// for one Reshape after the other has what sizes come from looked up once.
std::optional<RelativeExtents> reshaped_extents(const Node& reshape, const RelativeExtents& have,
                                                const OutPort& x, SymbolsOf& symbols);

}  // namespace mo::builtin_passes
