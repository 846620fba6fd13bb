// Orders of dimensions, as Transpose has them: dimension i of the result is dimension order[i] of the input.
#pragma once

#include <mo/sdk.hpp>

namespace mo::builtin_passes {

using Order = std::vector<int64_t>;

Order channels_first(size_t rank);  // 0, last, 1, 2, …
Order channels_last(size_t rank);   // and back
// Where a dimension stands once the channels are first.
size_t turned_axis(size_t axis, size_t rank);

bool is_identity(const Order&);
// One order for two Transposes, the second of which reads the first.
Order then(const Order& first, const Order& second);

// The constant order of a Transpose of known rank, without the short form for the reverse.
std::optional<Order> order_of(const Node& transpose);
std::optional<Order> order_of(const std::vector<int64_t>& written, size_t rank);

// Only dimensions of 1 change their place among the others: the elements stay where they are.
bool keeps_elements_in_place(const Shape&, const Order&);
// The target of a Reshape that does what a Transpose does, for whatever size the dimensions that are not
// known, or may change in a runtime, have: 0 and -1 as special_zero has them.
std::optional<std::vector<int64_t>> reshape_target(const Shape&, const Order&);

template <class List>
List permuted(const List& list, const Order& order) {
  List result = list;
  for (size_t i = 0; i < order.size(); ++i) result[i] = list[static_cast<size_t>(order[i])];
  return result;
}

}  // namespace mo::builtin_passes
