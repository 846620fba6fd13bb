// Sums and the like over axes, and places of the greatest and least elements.
#include "support/numbers.hpp"
#include "support/registering.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace reducing {

// None and () stand for all axes; with `exclude`, for all but those that are listed.
static Ints axes(const Build& b, const SourceNode& n) {
  const auto rank = static_cast<int64_t>(rank_of(b, b.in(0)));
  Ints listed = ints_of(n, "axis"), all;
  for (int64_t i = 0; i < rank; ++i) all.push_back(i);
  for (int64_t& a : listed) a = static_cast<int64_t>(axis_of(b, b.in(0), a));
  if (listed.empty()) return all;
  if (!n.native("exclude", false)) return listed;
  Ints rest;
  for (const int64_t a : all)
    if (std::find(listed.begin(), listed.end(), a) == listed.end()) rest.push_back(a);
  return rest;
}

// MXNet's operators give at least one dimension.
static OutPort at_least_1d(const Build& b, const OutPort& x) {
  return rank_of(b, x) == 0 ? b.reshape(x, b.list({1})) : x;
}

static OutPort reduced(const Build& b, std::string_view type, const OutPort& x, const SourceNode& n) {
  return at_least_1d(b, b.reduce(type, x, b.list(axes(b, n)), n.native("keepdims", false)));
}

template <Name Type>
static Ports reduce(Build& b, const SourceNode& n) {
  return {reduced(b, Type, b.in(0), n)};
}

static Ports norm(Build& b, const SourceNode& n) {
  const auto order = n.native("ord", 2);
  require(order == 1 || order == 2, "attribute 'ord' is ", order, "; expected 1 or 2");
  return {reduced(b, order == 1 ? "ReduceL1" : "ReduceL2", b.in(0), n)};
}

template <Name Mode>
static Ports place(Build& b, const SourceNode& n) {
  const auto given = n.find_native<int64_t>("axis");
  const bool keep = n.native("keepdims", false);
  const OutPort x = given ? b.in(0) : b.reshape(b.in(0), b.list({-1}));
  const size_t rank = rank_of(b, b.in(0));
  const auto axis = static_cast<int64_t>(given ? axis_of(b, x, *given) : 0);
  const Node top = b.node("TopK", "opset3", {x, b.integer(1)}, 2);
  top.set("axis", axis).set("mode", Mode).set("sort", "value").set("index_element_type", ElementType::i64);
  OutPort places = b.convert(top.out_port(1), ElementType::f32);
  if (!given && keep) return {b.reshape(places, Ints(rank, 1))};
  if (given && !keep) places = b.squeeze(places, {axis});
  return {at_least_1d(b, places)};
}

// argmax over channels, for labels.
static Ports argmax_channel(Build& b, const SourceNode&) {
  const Node top = b.node("TopK", "opset3", {b.in(0), b.integer(1)}, 2);
  top.set("axis", 1).set("mode", "max").set("sort", "value").set("index_element_type", ElementType::i64);
  return {b.squeeze(b.convert(top.out_port(1), ElementType::f32), {1})};
}

}  // namespace reducing

void register_reducing(Registry& r) {
  using namespace reducing;
  convert<reduce<"ReduceSum">>(r, "sum sum_axis _np_sum", "sum(x)", "ReduceSum(x, axes)");
  convert<reduce<"ReduceMean">>(r, "mean _npi_mean", "mean(x)", "ReduceMean(x, axes)");
  convert<reduce<"ReduceMax">>(r, "max max_axis _np_max", "max(x)", "ReduceMax(x, axes)");
  convert<reduce<"ReduceMin">>(r, "min min_axis _np_min", "min(x)", "ReduceMin(x, axes)");
  convert<reduce<"ReduceProd">>(r, "prod _np_prod", "prod(x)", "ReduceProd(x, axes)");
  convert<norm>(r, "norm", "norm(x)", "ReduceL2(x, axes) or ReduceL1(x, axes)");
  convert<place<"max">>(r, "argmax", "argmax(x)", "Convert(TopK(x, 1).1)");
  convert<place<"min">>(r, "argmin", "argmin(x)", "Convert(TopK(x, 1).1)");
  convert<argmax_channel>(r, "argmax_channel", "argmax_channel(x)", "Squeeze(Convert(TopK(x, 1).1))");
}

}  // namespace mo::mxnet
