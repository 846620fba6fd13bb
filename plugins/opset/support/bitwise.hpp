// Element-wise operations on the bits of two inputs of one integer type. Op gives
//   doc, booleans (whether these are taken, too), template <class T> static T of(T a, T b), and
//   static Interval bounds(ElementType, const Interval& a, const Interval& b)
#pragma once

#include "support/binary.hpp"

namespace mo::opset {

inline void require_bits(const InferContext& c, size_t input, bool booleans) {
  if (!booleans || c.type(input) != ElementType::boolean) require_integer(c, input);
}

// The exact interval of f over all pairs, when there are few enough to try them.
template <class F>
std::optional<Interval> tried(const Interval& a, const Interval& b, F f) {
  constexpr int64_t most = 64;
  const auto few = [](const Interval& v) {
    return !interval::is_open(v.lo) && !interval::is_open(v.hi) && v.lo > v.hi - most;
  };
  if (!few(a) || !few(b)) return std::nullopt;
  Interval all{Interval::highest, Interval::lowest};
  for (int64_t x = a.lo; x <= a.hi; ++x)
    for (int64_t y = b.lo; y <= b.hi; ++y) all = interval::unite(all, Interval(f(x, y)));
  return all;
}

template <class Op>
struct BitwiseBinary {
  static void schema(OpSchema& s) { schema_of_pairs<Op>(s, any_type); }
  static void ir_attrs(const Node& n, IrAttributes&) { check_broadcast(n); }
  static void infer(InferContext& c) {
    require_bits(c, 0, Op::booleans);
    require_bits(c, 1, Op::booleans);
    const ElementType t = common_type(c, {0, 1});
    const Shape shape = broadcast_inputs(c);
    if (!binary_bounds_wanted(c, shape)) return c.output(0, t, shape);
    output_intervals(c, 0, t, shape, combine_intervals(c, shape, [&](const Interval& a, const Interval& b) {
                       return interval::fit(t, Op::bounds(t, a, b));
                     }));
  }
  static void evaluate(EvalContext& c) {
    const ElementType t = c.input(0).type();
    if (is_float(t)) no_values_for(t);
    const CombineRow row = for_element(t, [](auto e) {
      using T = typename decltype(e)::computed;
      if constexpr (std::is_integral_v<T> && (Op::booleans || !std::is_same_v<T, bool>))
        return row_with<decltype(e), decltype(e)>([](T x, T y) { return Op::of(x, y); });
      else
        return CombineRow(nullptr);
    });
    if (row == nullptr) no_values_for(t);
    output_combined(c, t, row);
  }
};

}  // namespace mo::opset
