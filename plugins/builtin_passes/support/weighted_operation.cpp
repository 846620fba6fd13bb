#include "support/weighted_operation.hpp"

#include "support/eliminate.hpp"

#include <algorithm>

namespace mo::builtin_passes {

namespace {

using Dims = std::vector<int64_t>;

size_t product(const Dims& dims, size_t begin, size_t end) {
  size_t p = 1;
  for (size_t i = begin; i < end; ++i) p *= static_cast<size_t>(dims[i]);
  return p;
}

// The dimensions [begin, end) as channels.
ChannelView view_of(const Dims& dims, size_t begin, size_t end) {
  return {product(dims, 0, begin), product(dims, begin, end), 1, 1, product(dims, end, dims.size())};
}

// The first dimension and, apart from it, the third one.
ChannelView first_and_third(const Dims& dims) {
  return {1, product(dims, 0, 1), product(dims, 1, 2), product(dims, 2, 3), product(dims, 3, dims.size())};
}

bool pads_data(const Node& n) {
  const auto mode = n.attr<std::string>("auto_pad", "explicit");
  if (mode == "valid") return false;
  if (mode != "explicit" && mode != "notset") return true;
  for (const char* key : {"pads_begin", "pads_end"}) {
    const auto pads = n.find_attr<Dims>(key).value_or(Dims());
    if (std::any_of(pads.begin(), pads.end(), [](int64_t p) { return p != 0; })) return true;
  }
  return false;
}

void view_convolution(WeightedOperation& w, std::string_view op, const Dims& dims) {
  const bool groups = op.rfind("Group", 0) == 0, backward = op.find("Backprop") != std::string::npos;
  if (dims.size() < (groups ? 4U : 3U)) return;
  w.in_axis = w.out_axis = 1;
  // Steps between the pixels of a transposed convolution leave some results with fewer summands.
  w.pads = backward || pads_data(w.node);
  const ChannelView leading = view_of(dims, 0, groups ? 2 : 1);
  const ChannelView other = groups ? first_and_third(dims) : view_of(dims, 1, 2);
  w.out = backward ? other : leading;
  w.in = backward ? leading : other;
}

void view_product(WeightedOperation& w, const Dims& dims) {
  const Shape x = w.node.in_port(w.data).shape(), y = w.node.out_port().shape();
  if (!x.has_rank() || x.empty() || !y.has_rank() || dims.empty()) return;
  const bool turned = w.node.attr<bool>(w.weights == 0 ? "transpose_a" : "transpose_b", false);
  const bool data_turned = w.node.attr<bool>(w.weights == 0 ? "transpose_b" : "transpose_a", false);
  const size_t last = dims.size() - 1;
  // The dimension that is summed over: the last of what is first, the last but one of what is second.
  const bool shared_is_last = dims.size() == 1 || (w.weights == 0) != turned;
  const bool data_shared_is_last = x.size() == 1 || (w.data == 0) != data_turned;
  const size_t shared = shared_is_last ? last : last - 1;
  w.in = view_of(dims, shared, shared + 1);
  w.in_axis = data_shared_is_last ? x.size() - 1 : x.size() - 2;
  if (dims.size() == 1) return;
  const size_t kept = shared_is_last ? last - 1 : last;
  w.out = view_of(dims, kept, kept + 1);
  // Its rows come before the columns of data, of which a vector has none.
  w.out_axis = y.size() - (w.weights == 0 && x.size() > 1 ? 2 : 1);
}

}  // namespace

ChannelsOf ChannelView::flat(std::vector<size_t>& list) const {
  // What lies between two parts of the channels is a part of them, unless one of the two is not there.
  const size_t between = a == 1 || b == 1 ? 1 : middle;
  const size_t within = b == 1 ? middle * inner : inner;
  for (size_t i = 0; i < a; ++i)
    for (size_t m = 0; m < between; ++m)
      for (size_t k = 0; k < b; ++k) list.push_back(i * b + k);
  return {list.size(), within};
}

std::optional<Dims> ChannelView::list_dims(const Dims& dims) const {
  if (product(dims, 0, dims.size()) != elements()) return std::nullopt;
  Dims list(dims.size(), 1);
  const auto place = [&](size_t& at, size_t before, size_t count) {
    size_t passed = 1;
    for (; at < dims.size() && passed < before; ++at) passed *= static_cast<size_t>(dims[at]);
    size_t found = 1;
    for (; at < dims.size() && found < count; ++at) {
      list[at] = dims[at];
      found *= static_cast<size_t>(dims[at]);
    }
    return passed == before && found == count;
  };
  size_t at = 0;
  if (!place(at, outer, a) || (b != 1 && !place(at, middle, b))) return std::nullopt;
  return list;
}

std::optional<WeightedOperation> weighted_operation(const Node& n, bool weights_first) {
  const std::string_view op = op_of(n);
  const bool matrices = op == "MatMul";
  if (!matrices && op != "Convolution" && op != "GroupConvolution" && op != "ConvolutionBackpropData" &&
      op != "GroupConvolutionBackpropData")
    return std::nullopt;
  if (n.in_count() < 2 || (weights_first && !matrices)) return std::nullopt;
  WeightedOperation w;
  w.node = n;
  w.data = weights_first ? 1 : 0;
  w.weights = 1 - w.data;
  const OutPort source = n.in_port(w.weights).get_source();
  if (!source || !n.in_port(w.data).get_source()) return std::nullopt;
  const Shape s = source.shape();
  if (!s.is_static()) return std::nullopt;
  const Dims dims = s.to_static();
  if (std::find(dims.begin(), dims.end(), 0) != dims.end()) return std::nullopt;
  if (matrices)
    view_product(w, dims);
  else
    view_convolution(w, op, dims);
  return w;
}

}  // namespace mo::builtin_passes
