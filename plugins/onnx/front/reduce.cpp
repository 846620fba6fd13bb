#include "support/build.hpp"

namespace mo::onnx {

// The axes are an attribute, or from version 13 (ReduceSum) and 18 on an input. Nothing, or an empty list:
// all axes; with noop_with_empty_axes none.
static OutPort reduced_axes(const Build& b, const SourceNode& n) {
  auto axes = n.find_native<Ints>("axes");
  if (!axes && b.has(1)) axes = b.is_empty(1) ? Ints{} : b.ints(1);
  if (axes && !axes->empty()) return b.list(*axes);
  if (!axes && b.has(1)) return b.in(1);
  return n.native("noop_with_empty_axes", 0) != 0 ? b.list({}) : b.axes(b.in(0), 0, INT64_MAX);
}

static OutPort reduced(const Build& b, const SourceNode& n, std::string_view type, const OutPort& x) {
  return b.reduce(type, x, reduced_axes(b, n), n.native("keepdims", 1) != 0);
}

template <auto& Type>
static Ports reduce(Build& b, const SourceNode& n) {
  return {reduced(b, n, Type, b.in(0))};
}

// Booleans are ordered, too.
static Ports reduce_max(Build& b, const SourceNode& n) {
  return {reduced(b, n, b.in(0).type() == ElementType::boolean ? "ReduceLogicalOr" : "ReduceMax", b.in(0))};
}
static Ports reduce_min(Build& b, const SourceNode& n) {
  return {reduced(b, n, b.in(0).type() == ElementType::boolean ? "ReduceLogicalAnd" : "ReduceMin", b.in(0))};
}

static Ports reduce_sum_square(Build& b, const SourceNode& n) {
  return {reduced(b, n, "ReduceSum", b.multiply(b.in(0), b.in(0)))};
}

static Ports reduce_log_sum(Build& b, const SourceNode& n) {
  return {b.op("Log", "opset1", {reduced(b, n, "ReduceSum", b.in(0))})};
}

// The largest element is taken out first, so that exp does not overflow; an infinite one stays, for the
// difference of two would be no number: rows that are all -inf give -inf.
static Ports reduce_log_sum_exp(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0), axes = reduced_axes(b, n);
  const bool keep = n.native("keepdims", 1) != 0;
  const double most = x.type() == ElementType::f16 ? 65504 : std::numeric_limits<float>::max();
  const OutPort greatest = b.reduce("ReduceMax", x, axes, true);
  const OutPort largest =
      b.op("Maximum", "opset1", {b.op("Minimum", "opset1", {greatest, b.like(x, most)}), b.like(x, -most)});
  const OutPort powers = b.op("Exp", "opset1", {b.subtract(x, largest)});
  const OutPort log = b.op("Log", "opset1", {b.reduce("ReduceSum", powers, axes, keep)});
  return {b.add(log, keep ? largest : b.op("Squeeze", "opset1", {largest, axes}))};
}

namespace reduce_types {
static constexpr char l1[] = "ReduceL1", l2[] = "ReduceL2", mean[] = "ReduceMean", prod[] = "ReduceProd",
                      sum[] = "ReduceSum";
}

void register_reduce(Registry& r) {
  using namespace reduce_types;
  replace<reduce<l1>>(r, {"ReduceL1", "ReduceL1(x)", "ReduceL1(x, axes)"});
  replace<reduce<l2>>(r, {"ReduceL2", "ReduceL2(x)", "ReduceL2(x, axes)"});
  replace<reduce<mean>>(r, {"ReduceMean", "ReduceMean(x)", "ReduceMean(x, axes)"});
  replace<reduce<prod>>(r, {"ReduceProd", "ReduceProd(x)", "ReduceProd(x, axes)"});
  replace<reduce<sum>>(r, {"ReduceSum", "ReduceSum(x)", "ReduceSum(x, axes)"});
  replace<reduce_max>(r, {"ReduceMax", "ReduceMax(x)", "ReduceMax(x, axes)"});
  replace<reduce_min>(r, {"ReduceMin", "ReduceMin(x)", "ReduceMin(x, axes)"});
  replace<reduce_sum_square>(r, {"ReduceSumSquare", "ReduceSumSquare(x)", "ReduceSum(Multiply(x, x), axes)"});
  replace<reduce_log_sum>(r, {"ReduceLogSum", "ReduceLogSum(x)", "Log(ReduceSum(x, axes))"});
  replace<reduce_log_sum_exp>(
      r, {"ReduceLogSumExp", "ReduceLogSumExp(x)", "Add(m, Log(ReduceSum(Exp(Subtract(x, m)), axes)))"});
}

}  // namespace mo::onnx
