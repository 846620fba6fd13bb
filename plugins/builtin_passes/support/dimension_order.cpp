#include "support/dimension_order.hpp"

#include <numeric>

namespace mo::builtin_passes {

Order channels_first(size_t rank) {
  Order order(rank);
  std::iota(order.begin(), order.end(), 0);
  if (rank > 2) std::rotate(order.begin() + 1, order.end() - 1, order.end());
  return order;
}

Order channels_last(size_t rank) {
  Order order(rank);
  std::iota(order.begin(), order.end(), 0);
  if (rank > 2) std::rotate(order.begin() + 1, order.begin() + 2, order.end());
  return order;
}

size_t turned_axis(size_t axis, size_t rank) {
  if (axis == 0 || rank < 3) return axis;
  return axis + 1 == rank ? 1 : axis + 1;
}

bool is_identity(const Order& order) {
  for (size_t i = 0; i < order.size(); ++i)
    if (order[i] != static_cast<int64_t>(i)) return false;
  return true;
}

Order then(const Order& first, const Order& second) { return permuted(first, second); }

std::optional<Order> order_of(const Node& transpose) {
  if (!transpose.is_in_port_connected(0) || !transpose.is_in_port_connected(1)) return std::nullopt;
  const Shape s = transpose.in_port(0).shape();
  const auto value = transpose.in_port(1).value();
  if (!s.has_rank() || !value) return std::nullopt;
  return order_of(value->to_ints(), s.size());
}

std::optional<Order> order_of(const std::vector<int64_t>& written, size_t rank) {
  Order order = written;
  if (order.empty())
    for (size_t i = rank; i-- > 0;) order.push_back(static_cast<int64_t>(i));
  if (order.size() != rank) return std::nullopt;
  std::vector<bool> seen(rank);
  for (int64_t& i : order) {
    i = static_cast<int64_t>(normalize_axis(i, rank, "an entry of the order"));
    if (seen[static_cast<size_t>(i)]) return std::nullopt;
    seen[static_cast<size_t>(i)] = true;
  }
  return order;
}

bool keeps_elements_in_place(const Shape& s, const Order& order) {
  int64_t last = -1;
  for (const int64_t i : order) {
    if (s[static_cast<size_t>(i)] == Dim(1)) continue;
    if (i < last) return false;
    last = i;
  }
  return true;
}

std::optional<std::vector<int64_t>> reshape_target(const Shape& s, const Order& order) {
  if (!keeps_elements_in_place(s, order)) return std::nullopt;
  std::vector<int64_t> target;
  bool rest = false;
  for (size_t i = 0; i < order.size(); ++i) {
    if (order[i] == static_cast<int64_t>(i)) {
      target.push_back(0);
    } else if (s[static_cast<size_t>(order[i])] == Dim(1)) {
      target.push_back(1);
    } else {
      if (rest) return std::nullopt;
      rest = true;
      target.push_back(-1);
    }
  }
  return target;
}

}  // namespace mo::builtin_passes
