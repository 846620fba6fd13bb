#include "support/value_range.hpp"

#include "support/quantization.hpp"

#include <algorithm>

namespace mo::builtin_passes {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

bool is_one_of(const Node& n, std::initializer_list<std::string_view> types) {
  return std::any_of(types.begin(), types.end(), [&](std::string_view type) { return n.is(type); });
}

ValueRange joined(const ValueRange& a, const ValueRange& b) {
  return {std::min(a.least, b.least), std::max(a.most, b.most)};
}

// In a damaged model `least` may be above `most`.
ValueRange cut(const ValueRange& r, double least, double most) {
  return {std::min(std::max(r.least, least), most), std::min(std::max(r.most, least), most)};
}

bool counts_pads(const Node& pool) {
  const auto is_zero = [](int64_t p) { return p == 0; };
  const auto begin = pool.attr("pads_begin", std::vector<int64_t>{}),
             end = pool.attr("pads_end", std::vector<int64_t>{});
  return !pool.attr<bool>("exclude-pad", true) &&
         !(std::all_of(begin.begin(), begin.end(), is_zero) && std::all_of(end.begin(), end.end(), is_zero) &&
           pool.attr<std::string>("auto_pad", "explicit") == "explicit");
}

// Weights are not looked through.
ValueRange of_constant(const OutPort& p) {
  constexpr size_t most_elements = 65536;
  const auto t = p.value();
  if (!t || t->size() == 0 || t->size() > most_elements) return {};
  const auto values = t->to_floats<double>();
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return {*least, *most};
}

ValueRange quantized(const Node& n) {
  const auto limits = quantize_limits(n);
  if (!limits) return {};
  ValueRange r{infinite, -infinite};
  for (const ChannelValues* list : {&limits->out_low, &limits->out_high})
    for (const double v : *list) r = joined(r, {v, v});
  return r;
}

// `left` nodes may be looked at.
ValueRange range_behind(const OutPort& p, int& left) {
  if (--left < 0) return {};
  const Node n = p.node();
  const auto of_input = [&](size_t i) {
    return n.is_in_port_connected(i) ? range_behind(n.in_port(i).get_source(), left) : ValueRange{};
  };
  if (is_one_of(n, {"Sigmoid", "SoftMax", "HSigmoid", "HardSigmoid"})) return {0, 1};
  if (is_one_of(n, {"Tanh", "Sin", "Cos", "Erf", "SoftSign"})) return {-1, 1};
  if (is_one_of(n, {"Exp", "SoftPlus", "Abs", "Sqrt"})) return {0, infinite};
  if (n.is("Const")) return of_constant(p);
  if (n.is("Select")) return joined(of_input(1), of_input(2));
  if (n.is("Clamp")) return cut(of_input(0), n.attr<double>("min"), n.attr<double>("max"));
  if (n.is("ReLU")) return cut(of_input(0), 0, infinite);
  if (n.is("FakeQuantize")) return quantized(n);
  if (is_one_of(n, {"Reshape", "Transpose", "Squeeze", "Unsqueeze", "Split", "VariadicSplit", "StridedSlice",
                    "Slice", "Gather", "Tile", "Broadcast", "ReduceMax", "ReduceMin", "ReduceMean",
                    "DepthToSpace", "SpaceToDepth", "ShuffleChannels", "ReverseSequence"}))
    return of_input(0);
  if (n.is("MaxPool")) return p.index() == 0 ? of_input(0) : ValueRange{};
  if (n.is("AvgPool")) return counts_pads(n) ? joined(of_input(0), {0, 0}) : of_input(0);
  if (is_one_of(n, {"Concat", "Maximum", "Minimum"})) {
    ValueRange all{infinite, -infinite};
    for (size_t i = 0; i < n.in_count(); ++i) all = joined(all, of_input(i));
    return all;
  }
  return {};
}

}  // namespace

ValueRange value_range(const OutPort& p) {
  int left = 30;
  return p ? range_behind(p, left) : ValueRange{};
}

}  // namespace mo::builtin_passes
