// Reductions: over some dimensions, or all of them when none is named.
#include "support/values.hpp"

#include <mo/extract.hpp>

#include <cmath>

namespace mo::pytorch {

namespace reductions {

constexpr double infinity = std::numeric_limits<double>::infinity();

static bool keeps(const Call& c) { return c.flag("keepdim", false); }
static Ints axes_of(const Call& c, const OutPort& x) { return c.axes("dim", c.rank(x)); }

static OutPort reduced(const Call& c, std::string_view type, const OutPort& x, const Ints& axes, bool keep) {
  if (axes.empty()) return x;  // a number
  return c.b.reduce(type, x, c.b.list(axes), keep);
}

// In the type of the result, which is i64 for integers of any size and truth values.
template <Name Type>
static Ports in_result_type(const Call& c) {
  const OutPort x = as_type(c, c.tensor("self"), c.result_type());
  return {reduced(c, Type, x, axes_of(c, x), keeps(c))};
}
// Sums and means of complex numbers are those of their parts.
template <Name Type>
static Ports of_parts(const Call& c) {
  if (!c.is_complex("self")) return in_result_type<Type>(c);
  const OutPort x = c.tensor("self");
  return {reduced(c, Type, x, c.axes("dim", c.rank(x) - 1), keeps(c))};
}
// In the type that it reads.
template <Name Type>
static Ports in_own_type(const Call& c) {
  OutPort x = c.tensor("self");
  if (x.type() == ElementType::boolean) x = c.b.convert(x, ElementType::i32);
  const OutPort y = reduced(c, Type, x, axes_of(c, x), keeps(c));
  return {as_type(c, y, c.result_type())};
}
template <Name Type>
static Ports of_truth(const Call& c) {
  const OutPort x = as_truth(c, c.tensor("self"));
  return {reduced(c, Type, x, axes_of(c, x), keeps(c))};
}

static Ports both_ends(const Call& c) {
  const OutPort x = c.tensor("self");
  return {reduced(c, "ReduceMin", x, axes_of(c, x), keeps(c)),
          reduced(c, "ReduceMax", x, axes_of(c, x), keeps(c))};
}

// Divided by the number of elements less the correction.
static OutPort variance(const Call& c, const OutPort& x, bool keep) {
  const Ints axes = axes_of(c, x);
  double correction = 1;
  if (c.is_given("correction"))
    correction = c.number("correction");
  else if (c.is_given("unbiased"))
    correction = c.flag("unbiased", true) ? 1 : 0;
  const OutPort distance = c.b.subtract(x, axes.empty() ? x : mean_of(c, x, axes));
  const OutPort squares = c.b.multiply(distance, distance);
  if (correction == 0) return reduced(c, "ReduceMean", squares, axes, keep);
  const OutPort count = axes.empty() ? c.like(x, 1) : count_of(c, x, axes);
  const OutPort freedom = c.op1("Maximum", {c.b.subtract(count, c.like(x, correction)), c.like(x, 0)});
  return c.b.divide(reduced(c, "ReduceSum", squares, axes, keep), freedom);
}
static OutPort mean(const Call& c, const OutPort& x) {
  return reduced(c, "ReduceMean", x, axes_of(c, x), keeps(c));
}
static Ports var(const Call& c) { return {variance(c, c.tensor("self"), keeps(c))}; }
static Ports deviation(const Call& c) { return {c.op1("Sqrt", {variance(c, c.tensor("self"), keeps(c))})}; }
static Ports var_mean(const Call& c) {
  return {variance(c, c.tensor("self"), keeps(c)), mean(c, c.tensor("self"))};
}
static Ports deviation_mean(const Call& c) {
  return {c.op1("Sqrt", {variance(c, c.tensor("self"), keeps(c))}), mean(c, c.tensor("self"))};
}

// Infinite sums keep their sign: what is infinite is not subtracted from itself.
static Ports log_of_sums(const Call& c) {
  const OutPort x = as_float(c, c.tensor("self"));
  const Ints axes = axes_of(c, x);
  if (axes.empty()) return {x};
  const OutPort most = c.b.reduce("ReduceMax", x, c.b.list(axes), true);
  const OutPort finite = is_less(c, c.op1("Abs", {most}), c.like(x, infinity));
  const OutPort shift = c.b.select(finite, most, c.like(x, 0));
  const OutPort sum = c.b.reduce("ReduceSum", c.op1("Exp", {c.b.subtract(x, shift)}), c.b.list(axes), true);
  const OutPort y = c.b.add(c.op1("Log", {sum}), shift);
  return {keeps(c) ? y : c.b.squeeze(y, axes)};
}

static Ports count_nonzero(const Call& c) {
  const OutPort x = c.b.convert(as_truth(c, c.tensor("self")), ElementType::i64);
  return {reduced(c, "ReduceSum", x, axes_of(c, x), false)};
}

static OutPort without_nan(const Call& c, const OutPort& x) {
  return is_float(x.type()) ? c.b.select(c.op1("NotEqual", {x, x}), c.like(x, 0), x) : x;
}
static Ports sum_of_numbers(const Call& c) {
  const OutPort x = as_type(c, without_nan(c, c.tensor("self")), c.result_type());
  return {reduced(c, "ReduceSum", x, axes_of(c, x), keeps(c))};
}
static Ports mean_of_numbers(const Call& c) {
  const OutPort given = c.tensor("self"), x = as_type(c, without_nan(c, given), c.result_type());
  const OutPort counts = c.convert_like(c.op1("Equal", {given, given}), x);
  const Ints axes = axes_of(c, x);
  return {c.b.divide(reduced(c, "ReduceSum", x, axes, keeps(c)),
                     reduced(c, "ReduceSum", counts, axes, keeps(c)))};
}

// Of no dimensions it is that of each element.
static OutPort norm_over(const Call& c, const OutPort& x, double order, const Ints& axes) {
  if (!axes.empty()) return norm_of(c, x, order, c.b.list(axes), keeps(c));
  return order == 0 ? c.convert_like(as_truth(c, x), x) : c.op1("Abs", {x});
}
static double order_of(const Call& c, std::string_view name) { return c.is_given(name) ? c.number(name) : 2; }
static Ports vector_norm(const Call& c) {
  const OutPort x = as_type(c, as_float(c, c.tensor("self")), c.result_type());
  return {norm_over(c, x, order_of(c, "ord"), axes_of(c, x))};
}
static Ports norm(const Call& c) {
  const OutPort x = as_type(c, as_float(c, c.tensor("self")), c.result_type());
  return {norm_over(c, x, order_of(c, "p"), axes_of(c, x))};
}

}  // namespace reductions

void register_reductions(Registry& r) {
  using namespace reductions;
  convert<of_parts<"ReduceSum">>(r, "aten.sum.default aten.sum.dim_IntList", "sum(x, dim)", "ReduceSum(x)");
  convert<of_parts<"ReduceMean">>(r, "aten.mean.default aten.mean.dim", "mean(x, dim)", "ReduceMean(x)");
  convert<in_result_type<"ReduceProd">>(r, "aten.prod.default aten.prod.dim_int", "prod(x, dim)",
                                        "ReduceProd(x)");
  convert<in_own_type<"ReduceMax">>(r, "aten.amax.default aten.max.default", "amax(x, dim)", "ReduceMax(x)");
  convert<in_own_type<"ReduceMin">>(r, "aten.amin.default aten.min.default", "amin(x, dim)", "ReduceMin(x)");
  convert<of_truth<"ReduceLogicalAnd">>(
      r, "aten.all.default aten.all.dim aten.all.dims aten._is_all_true.default", "all(x, dim)",
      "ReduceLogicalAnd(NotEqual(x, 0))");
  convert<of_truth<"ReduceLogicalOr">>(
      r, "aten.any.default aten.any.dim aten.any.dims aten._is_any_true.default", "any(x, dim)",
      "ReduceLogicalOr(NotEqual(x, 0))");
  convert<both_ends>(r, "aten.aminmax.default", "aminmax(x, dim)", "ReduceMin(x), ReduceMax(x)");
  convert<var>(r, "aten.var.default aten.var.dim aten.var.correction", "var(x, dim, correction)",
               "Divide(ReduceSum(squares of x - ReduceMean(x)), count - correction)");
  convert<deviation>(r, "aten.std.default aten.std.dim aten.std.correction", "std(x, dim, correction)",
                     "Sqrt(Divide(ReduceSum(squares of x - ReduceMean(x)), count - correction))");
  convert<var_mean>(r, "aten.var_mean.default aten.var_mean.dim aten.var_mean.correction",
                    "var_mean(x, dim, correction)", "as var, and ReduceMean(x)");
  convert<deviation_mean>(r, "aten.std_mean.default aten.std_mean.dim aten.std_mean.correction",
                          "std_mean(x, dim, correction)", "as std, and ReduceMean(x)");
  convert<log_of_sums>(r, "aten.logsumexp.default aten.special_logsumexp.default", "logsumexp(x, dim)",
                       "Add(Log(ReduceSum(Exp(Subtract(x, most)))), most), most = ReduceMax(x)");
  convert<count_nonzero>(r, "aten.count_nonzero.default aten.count_nonzero.dim_IntList",
                         "count_nonzero(x, dim)", "ReduceSum(Convert(NotEqual(x, 0)))");
  convert<sum_of_numbers>(r, "aten.nansum.default", "nansum(x, dim)",
                          "ReduceSum(Select(NotEqual(x, x), 0, x))");
  convert<mean_of_numbers>(r, "aten.nanmean.default", "nanmean(x, dim)",
                           "Divide(ReduceSum(Select(NotEqual(x, x), 0, x)), ReduceSum(Equal(x, x)))");
  convert<vector_norm>(
      r, "aten.linalg_vector_norm.default", "linalg_vector_norm(x, ord, dim)",
      "ReduceL2(x), ReduceL1(x), ReduceMax(Abs(x)) or Power(ReduceSum(Power(Abs(x), ord)), 1 / ord)");
  convert<norm>(
      r,
      "aten.norm.Scalar aten.norm.ScalarOpt_dim aten.norm.ScalarOpt_dim_dtype aten.norm.ScalarOpt_dtype "
      "aten.frobenius_norm.dim",
      "norm(x, p, dim)", "ReduceL2(x), ReduceL1(x) or Power(ReduceSum(Power(Abs(x), p)), 1 / p)");
}

}  // namespace mo::pytorch
