// Reductions over axes, places of extremes, running sums, and orders.
#include "support/operator.hpp"

#include <mo/extract.hpp>

namespace mo::paddle {

namespace reducing {

static OutPort x_of(const Op& o) { return o.in("0 X x Input"); }

// No axes are all axes.
static OutPort axes_of(const Op& o, const OutPort& x) {
  if (o.flag("reduce_all", false)) return o.axes(x, 0, INT64_MAX);
  const auto axes = o.known("1 AxisTensor AxisTensorList", "axis dim axes");
  if (!axes && o.has("1 AxisTensor AxisTensorList")) return o.sizes("1 AxisTensor AxisTensorList", "axis");
  if (!axes || axes->empty()) return o.axes(x, 0, INT64_MAX);
  Ints list;
  if (o.rank(x) == 0) return o.list({});
  for (const int64_t a : *axes) list.push_back(o.axis(x, a));
  return o.list(list);
}

static bool keeps(const Op& o) { return o.flag("keepdim keep_dim keepdims", false); }

// Flags are counted, and what the program wants as another type is converted first.
static OutPort numbers(const Op& o, const OutPort& x) {
  const auto type = o.type("dtype out_dtype");
  if (type) return o.convert(x, *type);
  if (o.type_of(x) == ElementType::boolean)
    return o.convert(x, o.stated_type() == ElementType::unknown ? ElementType::i64 : o.stated_type());
  const ElementType stated = o.stated_type();
  return !o.is_real(x) && stated != ElementType::unknown ? o.convert(x, stated) : x;
}

template <Name Type>
static Ports reduce(const Op& o) {
  const OutPort x = x_of(o);
  const OutPort y =
      Type == std::string_view("ReduceSum") || Type == std::string_view("ReduceProd") ? numbers(o, x) : x;
  return {o.reduce(Type, y, axes_of(o, x), keeps(o))};
}

static Ports sum(const Op& o) {
  if (o.is_pir() || o.has_attribute("dim keep_dim")) return reduce<"ReduceSum">(o);
  OutPort all;  // of ProgramDesc: the sum of a list
  for (const OutPort& x : o.all("X")) all = all ? o.add(all, x) : x;
  require(static_cast<bool>(all), "it adds nothing");
  return {all};
}

static Ports mean_of_all(const Op& o) {
  const OutPort x = x_of(o);
  return {o.reduce("ReduceMean", x, o.axes(x, 0, INT64_MAX), false)};
}

static Ports mean(const Op& o) { return o.is_pir() ? reduce<"ReduceMean">(o) : mean_of_all(o); }

template <Name Type>
static Ports logical(const Op& o) {
  const OutPort x = o.convert(x_of(o), ElementType::boolean);
  return {o.reduce(Type, x, axes_of(o, x), keeps(o))};
}

static Ports logsumexp(const Op& o) {
  const OutPort x = x_of(o), axes = axes_of(o, x);
  const OutPort most = o.reduce("ReduceMax", x, axes, true);
  const OutPort sum = o.reduce("ReduceSum", o.op1("Exp", {o.subtract(x, most)}), axes, keeps(o));
  return {o.add(o.op1("Log", {sum}), o.reduce("ReduceMax", x, axes, keeps(o)))};
}

static Ports p_norm(const Op& o) {
  const bool as_vector = o.flag("asvector", false);
  const bool keep = keeps(o);
  OutPort x = x_of(o);
  const auto order = o.real("porder", 2);
  const OutPort axes = as_vector ? o.axes(x, 0, INT64_MAX) : o.list({o.axis(x, o.integer("axis", -1))});
  const OutPort size = o.op1("Abs", {x});
  if (order == 2) return {o.reduce("ReduceL2", x, axes, keep)};
  if (order == 1) return {o.reduce("ReduceL1", x, axes, keep)};
  if (std::isinf(order)) return {o.reduce(order > 0 ? "ReduceMax" : "ReduceMin", size, axes, keep)};
  if (order == 0) {
    const OutPort some = o.convert(o.op1("NotEqual", {x, o.like(x, 0)}), o.type_of(x));
    return {o.reduce("ReduceSum", some, axes, keep)};
  }
  return {o.power(o.reduce("ReduceSum", o.power(size, order), axes, keep), 1 / order)};
}

static Ports frobenius_norm(const Op& o) {
  const OutPort x = x_of(o);
  return {o.reduce("ReduceL2", x, axes_of(o, x), keeps(o))};
}

static Ports squared_l2_norm(const Op& o) {
  const OutPort x = x_of(o);
  return {o.reshape(o.reduce("ReduceSum", o.multiply(x, x), o.axes(x, 0, INT64_MAX), false), Ints{1})};
}

template <Name Mode>
static Ports place(const Op& o) {
  OutPort x = x_of(o);
  const bool keep = keeps(o), flat = o.flag("flatten", false);
  const int64_t rank = o.rank(x);
  if (rank == 0) return {o.convert(o.subtract(x, x), ElementType::i64)};
  if (flat) x = o.reshape(x, Ints{-1});
  const int64_t axis = flat ? 0 : o.axis(x, o.fixed_int("1 AxisTensor", "axis", -1));
  if (o.type_of(x) == ElementType::boolean) x = o.convert(x, ElementType::i32);
  const OutPort found = o.topk(x, o.integer(1), axis, std::string_view(Mode), "value").out_port(1);
  if (flat) return {o.reshape(found, keep ? Ints(static_cast<size_t>(rank), 1) : Ints{})};
  return {keep ? found : o.squeeze(found, {axis})};
}

// All elements of x in order, with their places.
static Node sorted(const Op& o, const OutPort& x, int64_t axis, bool descending) {
  return o.topk(x, o.as_scalar(o.dim(x, axis)), axis, descending ? "max" : "min", "value", true);
}

static Ports argsort(const Op& o) {
  OutPort x = x_of(o);
  if (o.rank(x) == 0)
    return o.give({{"0 Out", {x}}, {"1 Indices", {o.convert(o.subtract(x, x), ElementType::i64)}}});
  const Node n = sorted(o, x, o.axis(x, o.integer("axis", -1)), o.flag("descending", false));
  return o.give({{"0 Out", {n.out_port(0)}}, {"1 Indices", {n.out_port(1)}}});
}

static Ports topk(const Op& o) {
  const OutPort x = x_of(o);
  const int64_t axis = o.axis(x, o.integer("axis", -1));
  const OutPort k =
      o.has("1 K") ? o.as_scalar(o.convert(o.in("1 K"), ElementType::i64)) : o.integer(o.integer("k", 1));
  const Node n = o.topk(x, k, axis, o.flag("largest", true) ? "max" : "min", "value");
  return o.give({{"0 Out", {n.out_port(0)}}, {"1 Indices", {n.out_port(1)}}});
}

static Ports kthvalue(const Op& o) {
  const OutPort x = x_of(o);
  const int64_t axis = o.axis(x, o.integer("axis", -1)), k = o.integer("k", 1);
  const bool keep = keeps(o);
  const Node n = o.topk(x, o.integer(k), axis, "min", "value", true);
  const auto last = [&](const OutPort& p) {
    const OutPort one = o.slice(p, axis, k - 1, k);
    return keep ? one : o.squeeze(one, {axis});
  };
  return o.give({{"0 Out", {last(n.out_port(0))}}, {"1 Indices", {last(n.out_port(1))}}});
}

// The middle of what is in order; of an even number the mean of two, or the lower.
static Ports median(const Op& o) {
  OutPort x = x_of(o);
  const Ints axes = o.ints("axis");
  const bool keep = keeps(o);
  const int64_t rank = o.rank(x);
  const bool all = axes.empty() || static_cast<int64_t>(axes.size()) == rank;
  require(all || axes.size() == 1, "a median over ", axes.size(), " of ", rank, " axes is not supported");
  if (all) x = o.reshape(x, Ints{-1});
  const int64_t axis = all ? 0 : o.axis(x, axes.front());
  const int64_t size = o.dim_of(x, axis);
  require(size > 0, "it has no elements");
  const Node n = sorted(o, x, axis, false);
  const OutPort low = o.slice(n.out_port(), axis, (size - 1) / 2, (size - 1) / 2 + 1);
  const OutPort high = o.slice(n.out_port(), axis, size / 2, size / 2 + 1);
  const bool mean = o.word("mode", "avg") == "avg";
  OutPort y = mean && size % 2 == 0 ? o.times(o.add(low, high), 0.5) : low;
  OutPort at = o.slice(n.out_port(1), axis, (size - 1) / 2, (size - 1) / 2 + 1);
  // What is no number makes the result none.
  if (o.is_real(x)) {
    const OutPort off = o.reduce("ReduceSum", o.subtract(x, x), o.list({axis}), true);
    y = o.add(y, off);
  }
  const auto shaped = [&](const OutPort& p) {
    if (all) return o.reshape(p, keep ? Ints(static_cast<size_t>(rank), 1) : Ints{});
    return keep ? p : o.squeeze(p, {axis});
  };
  return o.give({{"0 Out", {shaped(y)}}, {"1 MedianIndex", {shaped(at)}}});
}

// Of all elements in their order, or along an axis.
struct Running {
  OutPort x;
  int64_t axis;
};
static Running running(const Op& o, std::string_view names) {
  OutPort x = x_of(o);
  if (o.flag("flatten", false) || o.rank(x) == 0) return {o.reshape(x, Ints{-1}), 0};
  return {x, o.axis(x, o.fixed_int("1 AxisTensor", names, -1))};
}

static OutPort running_sum(const Op& o, const Running& r) {
  const Node n = o.node("CumSum", "opset3", {r.x, o.integer(r.axis)});
  return n.set("exclusive", o.flag("exclusive", false)).set("reverse", o.flag("reverse", false)).out_port();
}

static OutPort shaped(const Op& o, const OutPort& y) {
  return o.rank(x_of(o)) == 0 && !o.flag("flatten", false) ? o.as_scalar(y) : y;
}

static Ports cumsum(const Op& o) {
  Running r = running(o, "axis");
  r.x = numbers(o, r.x);
  return {shaped(o, running_sum(o, r))};
}

// Pairs (i, k) of places in which k counts for i, as [size, size].
static OutPort counted(const Op& o, const OutPort& size, bool exclusive, bool reverse) {
  const OutPort i = o.unsqueezed(o.iota(size), {1}), k = o.unsqueezed(o.iota(size), {0});
  const std::string_view type =
      exclusive ? (reverse ? "Greater" : "Less") : (reverse ? "GreaterEqual" : "LessEqual");
  return o.op1(type, {k, i});
}

// x with its axis behind, and once more for each place: [..., size, size], and `instead` where k does not count.
struct Spread {
  OutPort all, mask;
};
static Spread spread(const Op& o, const Running& r, const OutPort& instead, bool exclusive, bool reverse) {
  const int64_t rank = o.rank(r.x);
  Ints order;
  for (int64_t i = 0; i < rank; ++i)
    if (i != r.axis) order.push_back(i);
  order.push_back(r.axis);
  const OutPort moved = rank > 1 ? o.transpose(r.x, order) : r.x;
  const OutPort mask = counted(o, o.dim(r.x, r.axis), exclusive, reverse);
  return {o.select(mask, o.unsqueezed(moved, {rank - 1}), instead), mask};
}
// The axis stands behind, and goes back.
static OutPort moved_back(const Op& o, const OutPort& y, const Running& r) {
  const int64_t rank = o.rank(r.x);
  if (rank <= 1) return y;
  Ints order;
  for (int64_t i = 0; i < rank; ++i) order.push_back(i < r.axis ? i : i == r.axis ? rank - 1 : i - 1);
  return o.transpose(y, order);
}

static Ports cumprod(const Op& o) {
  const Running r = running(o, "dim axis");
  const OutPort all = spread(o, r, o.like(r.x, 1), o.flag("exclusive", false), o.flag("reverse", false)).all;
  return {shaped(o, moved_back(o, o.reduce("ReduceProd", all, o.list({-1}), false), r))};
}

static Ports logcumsumexp(const Op& o) {
  const Running r = running(o, "axis");
  // Less than anything, but a number: its exponential is 0.
  const OutPort all =
      spread(o, r, o.like(r.x, -3e38), o.flag("exclusive", false), o.flag("reverse", false)).all;
  const OutPort most = o.reduce("ReduceMax", all, o.list({-1}), true);
  const OutPort sum = o.reduce("ReduceSum", o.op1("Exp", {o.subtract(all, most)}), o.list({-1}), false);
  const OutPort y = o.add(o.op1("Log", {sum}), o.squeeze(most, {-1}));
  return {shaped(o, moved_back(o, y, r))};
}

// The last of the places that have the extreme so far.
template <Name Type>
static Ports extremes(const Op& o) {
  const OutPort x = x_of(o);
  Running r = running(o, "axis");
  const bool is_max = std::string_view(Type) == "ReduceMax";
  const ElementType type = o.type_of(x);
  const double far = o.is_real(x)               ? std::numeric_limits<double>::infinity()
                     : type == ElementType::i64 ? static_cast<double>(INT64_MAX)
                                                : static_cast<double>(INT32_MAX);
  const Spread s = spread(o, r, o.like(r.x, is_max ? -far : far), false, false);
  const OutPort extreme = o.reduce(Type, s.all, o.list({-1}), true);
  const OutPort same = o.op1("LogicalAnd", {o.op1("Equal", {s.all, extreme}), s.mask});
  const OutPort places = o.select(same, o.iota(o.dim(r.x, r.axis)), o.integer(-1));
  const OutPort at = o.reduce("ReduceMax", places, o.list({-1}), false);
  return o.give({{"0 out", {shaped(o, moved_back(o, o.squeeze(extreme, {-1}), r))}},
                 {"1 indices", {shaped(o, moved_back(o, at, r))}}});
}

}  // namespace reducing

void register_reducing(Registry& r) {
  using namespace reducing;
  convert<sum>(r, "sum", "sum(x, axis)", "ReduceSum(x, axes), or Add(a, b) of a list");
  convert<reduce<"ReduceSum">>(r, "reduce_sum", "reduce_sum(x)", "ReduceSum(x, axes)");
  convert<mean>(r, "mean", "mean(x, axis)", "ReduceMean(x, axes)");
  convert<reduce<"ReduceMean">>(r, "reduce_mean", "reduce_mean(x)", "ReduceMean(x, axes)");
  convert<mean_of_all>(r, "mean_all", "mean_all(x)", "ReduceMean(x)");
  convert<reduce<"ReduceMax">>(r, "max reduce_max amax reduce_amax", "max(x, axis)", "ReduceMax(x, axes)");
  convert<reduce<"ReduceMin">>(r, "min reduce_min amin reduce_amin", "min(x, axis)", "ReduceMin(x, axes)");
  convert<reduce<"ReduceProd">>(r, "prod reduce_prod", "prod(x, axis)", "ReduceProd(x, axes)");
  convert<logical<"ReduceLogicalAnd">>(r, "all reduce_all", "all(x, axis)", "ReduceLogicalAnd(x, axes)");
  convert<logical<"ReduceLogicalOr">>(r, "any reduce_any", "any(x, axis)", "ReduceLogicalOr(x, axes)");
  convert<logsumexp>(r, "logsumexp", "logsumexp(x, axis)", "Add(Log(ReduceSum(Exp(x - max))), max)");
  convert<p_norm>(r, "p_norm", "p_norm(x)",
                  "ReduceL1(x), ReduceL2(x), Power(ReduceSum(Power(Abs(x), p)), 1 / p)");
  convert<frobenius_norm>(r, "frobenius_norm", "frobenius_norm(x)", "ReduceL2(x, axes)");
  convert<squared_l2_norm>(r, "squared_l2_norm", "squared_l2_norm(x)", "ReduceSum(Multiply(x, x))");
  convert<place<"max">>(r, "argmax arg_max", "argmax(x)", "TopK(x, 1).1");
  convert<place<"min">>(r, "argmin arg_min", "argmin(x)", "TopK(x, 1).1");
  convert<argsort>(r, "argsort", "argsort(x)", "TopK(x, size)");
  convert<topk>(r, "topk top_k_v2 top_k", "topk(x, k)", "TopK(x, k)");
  convert<kthvalue>(r, "kthvalue", "kthvalue(x, k)", "Slice(TopK(x, k))");
  convert<median>(r, "median nanmedian", "median(x)", "Slice(TopK(x, size))");
  convert<cumsum>(r, "cumsum", "cumsum(x, axis)", "CumSum(x, axis)");
  convert<cumprod>(r, "cumprod", "cumprod(x)", "ReduceProd(Select(k <= i, x, 1))");
  convert<logcumsumexp>(r, "logcumsumexp", "logcumsumexp(x)", "Log(ReduceSum(Exp(Select(k <= i, x, -inf))))");
  convert<extremes<"ReduceMax">>(r, "cummax", "cummax(x)", "ReduceMax(Select(k <= i, x, -inf))");
  convert<extremes<"ReduceMin">>(r, "cummin", "cummin(x)", "ReduceMin(Select(k <= i, x, inf))");
}

}  // namespace mo::paddle
