// Operations on each element of one input. Op gives a line of documentation and
//   template <class T> static T of(T x)   for Unary: any number, computed in its own type, or
//   template <class R> static R of(R x)   for UnaryMath: glibc picks its kernels of float and double by
//   processor.
//                                         Rounding what a wider type gives is the way to the same bytes
//                                         everywhere: R is long double for f64, else double.
// Unary also takes static Interval bounds(Interval), UnaryMath static RealInterval bounds(RealInterval).
#pragma once

#include "support/combining.hpp"
#include "support/inference.hpp"

namespace mo::opset {

// The nearest value of a type; 0 for NaN.
template <class T, class R>
T saturate(R v) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(v);
  } else {
    if (std::isnan(v)) return 0;
    if (v <= static_cast<R>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
    if (v >= static_cast<R>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
    return static_cast<T>(v);
  }
}

// out[i] = f(in[i]) in the type of the elements.
template <class F>
void map_numbers(const EvalContext& c, F f) {
  const Tensor in = c.input(0);
  c.output(0, mapped(c, in, in.type(), for_number(in.type(), [&](auto e) {
                       using E = decltype(e);
                       return Mapping([f](const char* from, char* to, size_t n) {
                         for (size_t i = 0; i < n; ++i)
                           E::put(to, i, static_cast<typename E::computed>(f(E::get(from, i))));
                       });
                     })));
}

// The same in a wider type; integers are rounded.
template <class F>
void map_math(const EvalContext& c, F f) {
  const Tensor in = c.input(0);
  c.output(0, mapped(c, in, in.type(), for_number(in.type(), [&](auto e) {
                       using E = decltype(e);
                       using T = typename E::computed;
                       using R =
                           std::conditional_t<E::is_float && std::is_same_v<T, double>, long double, double>;
                       return Mapping([f](const char* from, char* to, size_t n) {
                         for (size_t i = 0; i < n; ++i) {
                           const R y = f(static_cast<R>(E::get(from, i)));
                           E::put(to, i, saturate<T>(E::is_float ? y : std::nearbyint(y)));
                         }
                       });
                     })));
}

template <class Op>
struct UnaryMath {
  static void schema(OpSchema& s) {
    s.doc(Op::doc).input("data", Role::none, number_types).element_wise().outputs(1);
  }
  static void infer(InferContext& c) {
    const ElementType t = c.type(0);
    if constexpr (requires(RealInterval v) { Op::bounds(v); })
      if (bounds_wanted(c, {0})) {
        auto list = *intervals(c, 0);
        for (Interval& v : list) v = bounds(t, Op::bounds(RealInterval(v)));
        return output_intervals(c, 0, t, c.shape(0), list);
      }
    c.output(0, t, c.shape(0));
  }
  static void evaluate(EvalContext& c) {
    map_math(c, [](auto x) { return Op::of(x); });
  }

 private:
  static Interval bounds(ElementType t, const RealInterval& v) {
    if (is_float(t)) return outwards(t, v);
    return interval::fit(
        t, outwards(ElementType::f64, real::between(std::nearbyint(v.lo), std::nearbyint(v.hi))));
  }
};

template <class Op>
struct Unary {
  static void schema(OpSchema& s) {
    s.doc(Op::doc).input("data", Role::none, number_types).element_wise().outputs(1);
  }
  static void infer(InferContext& c) {
    const Shape shape = c.shape(0);
    if (bounds_wanted(c, {0})) {
      auto list = *intervals(c, 0);
      for (Interval& v : list)  // floats of which nothing is known may be NaN
        if (!is_float(c.type(0)) || !v.unknown()) v = interval::fit(c.type(0), Op::bounds(v));
      return output_intervals(c, 0, c.type(0), shape, list);
    }
    c.output(0, c.type(0), shape);
  }
  static void evaluate(EvalContext& c) {
    map_numbers(c, [](auto x) { return Op::of(x); });
  }
};

}  // namespace mo::opset
