#include "apps/run/dimension_order.hpp"

#include <algorithm>
#include <cstring>
#include <mo/error.hpp>
#include <numeric>

namespace mo::app {

DimensionOrder dimension_order(const core::Graph& g, core::NodeId n) {
  const core::Attribute* a = g.attribute(n, MO_ATTR_DIMENSION_ORDER);
  const auto* order = a == nullptr ? nullptr : std::get_if<DimensionOrder>(a);
  if (order == nullptr) return {};
  DimensionOrder sorted = *order, all(order->size());
  std::sort(sorted.begin(), sorted.end());
  std::iota(all.begin(), all.end(), 0);
  return sorted == all ? *order : DimensionOrder{};
}

DimensionOrder inverse(const DimensionOrder& order) {
  DimensionOrder back(order.size());
  for (size_t i = 0; i < order.size(); ++i) back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  return back;
}

Shape reordered(const Shape& s, const DimensionOrder& order) {
  if (order.empty() || !s.has_rank()) return s;
  require(s.size() == order.size(), "shape ", s, " has not the ", order.size(),
          " dimensions of its new order");
  std::vector<Dim> dims;
  for (const int64_t from : order) dims.push_back(s[static_cast<size_t>(from)]);
  return dims;
}

core::TensorRef reordered(const core::TensorRef& value, const DimensionOrder& order) {
  if (order.empty() || !value) return value;
  const std::vector<int64_t>& have = value->dims;
  require(have.size() == order.size(), "a value of shape ", Shape(have), " has not the ", order.size(),
          " dimensions of its new order");
  const auto bits_each = static_cast<size_t>(bits(value->type));
  require(bits_each != 0 && bits_each % 8 == 0, "elements of type ", name(value->type),
          " cannot be put into another order");
  std::vector<int64_t> dims, strides(have.size(), 1), step;
  for (size_t i = have.size(); i-- > 1;) strides[i - 1] = strides[i] * have[i];
  for (const int64_t from : order) {
    dims.push_back(have[static_cast<size_t>(from)]);
    step.push_back(strides[static_cast<size_t>(from)]);
  }
  core::TensorRef out = core::make_tensor(value->type, dims);
  const size_t size = bits_each / 8;
  std::vector<int64_t> at(dims.size(), 0);
  int64_t from = 0;
  for (uint64_t to = 0; to < out->bytes; to += size) {
    std::memcpy(out->buffer.get() + to, value->data() + static_cast<size_t>(from) * size, size);
    for (size_t i = dims.size(); i-- > 0;) {
      from += step[i];
      if (++at[i] < dims[i]) break;
      from -= step[i] * dims[i];
      at[i] = 0;
    }
  }
  return out;
}

}  // namespace mo::app
