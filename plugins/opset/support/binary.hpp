// Element-wise operations on two inputs of one type. Op gives
//   doc, template <class T> static T of(T a, T b), static Interval bounds(Interval a, Interval b), and where
//   bounds of floats are worth it static RealInterval bounds(RealInterval a, RealInterval b)
// and for Comparison `bool of(T, T)` and the interval within 0..1 of its answer. Op::commutes: a and b may be
// exchanged.
#pragma once

#include "support/combining.hpp"

namespace mo::opset {

// out[i] = f(a[i], b[i]) of a row; In and Out are Elements, and F has no state.
template <class In, class Out, class F>
void combine_row(const std::array<const char*, 2>& in, const std::array<size_t, 2>& step, char* out,
                 size_t n) {
  using T = typename Out::computed;
  constexpr F f{};
  if (step[0] == 0) {
    const auto x = In::get(in[0], 0);
    for (size_t i = 0; i < n; ++i) Out::put(out, i, static_cast<T>(f(x, In::get(in[1], i * step[1]))));
  } else if (step[1] == 0) {
    const auto y = In::get(in[1], 0);
    for (size_t i = 0; i < n; ++i) Out::put(out, i, static_cast<T>(f(In::get(in[0], i), y)));
  } else {
    for (size_t i = 0; i < n; ++i) Out::put(out, i, static_cast<T>(f(In::get(in[0], i), In::get(in[1], i))));
  }
}
using CombineRow = void (*)(const std::array<const char*, 2>&, const std::array<size_t, 2>&, char*, size_t);
template <class In, class Out, class F>
CombineRow row_with(F) {
  return &combine_row<In, Out, F>;
}

inline Walk<2> binary_walk(const EvalContext& c) {
  const Tensor a = c.input(0), b = c.input(1);
  require(a.type() == b.type(), "element types ", name(a.type()), " and ", name(b.type()), " differ");
  auto dims = b.dims();
  if (dims != a.dims()) {
    const auto mode = c.attr<std::string>("auto_broadcast");
    require(mode != "none", "shapes ", a.shape(), " and ", b.shape(), " differ and auto_broadcast is none");
    if (mode == "pdpd") dims = align_pdpd(a.shape(), b.shape(), c.attr<int64_t>("axis", -1)).to_static();
  }
  return Walk<2>({a.dims(), dims});
}

inline void output_combined(const EvalContext& c, ElementType type, CombineRow row) {
  c.output(0, combined<2>(c, {c.input(0), c.input(1)}, binary_walk(c), type, row));
}

// What f makes of the elements x and y of inputs 0 and 1.
template <class I, class F>
std::vector<Interval> combine_known(const InferContext& c, const Shape& out, F f,
                                    std::vector<I> known(const InferContext&, size_t, size_t)) {
  const Shape a = c.shape(0);
  Shape b = c.shape(1);
  const auto x = known(c, 0, static_cast<size_t>(a.elements().value()));
  const auto y = known(c, 1, static_cast<size_t>(b.elements().value()));
  if (a != b && c.attr<std::string>("auto_broadcast") == "pdpd")
    b = align_pdpd(a, b, c.attr<int64_t>("axis", -1));
  std::vector<Interval> list(static_cast<size_t>(out.elements().value()));
  Walk<2>({a.to_static(), b.to_static()})
      .rows([&](size_t o, const std::array<size_t, 2>& at, const std::array<size_t, 2>& step, size_t n) {
        for (size_t i = 0; i < n; ++i) list[o + i] = f(x[at[0] + i * step[0]], y[at[1] + i * step[1]]);
      });
  return list;
}
template <class F>
std::vector<Interval> combine_intervals(const InferContext& c, const Shape& out, F f) {
  return combine_known<Interval>(c, out, f, &intervals_or_unknown);
}
template <class F>
std::vector<Interval> combine_reals(const InferContext& c, const Shape& out, F f) {
  return combine_known<RealInterval>(c, out, f, &reals_or_unknown);
}
inline bool binary_bounds_wanted(const InferContext& c, const Shape& out) {
  return out.is_static() && out.elements().value() <= bounds_limit && c.shape(0).is_static() &&
         c.shape(1).is_static() && bounds_wanted(c, {0, 1});
}

template <class Op>
void schema_of_pairs(OpSchema& s, ElementTypes types) {
  s.doc(Op::doc).input("a", Role::none, types).input("b", Role::none, types).element_wise();
  add_auto_broadcast(s);
  if constexpr (requires { Op::commutes; })
    if (Op::commutes) s.commutative();
}

// Any number.
template <class Op>
struct Binary {
  static void schema(OpSchema& s) { schema_of_pairs<Op>(s, number_types); }
  static void ir_attrs(const Node& n, IrAttributes&) { check_broadcast(n); }
  static void infer(InferContext& c) {
    const ElementType t = common_type(c, {0, 1});
    const Shape shape = broadcast_inputs(c);
    if (!binary_bounds_wanted(c, shape)) return c.output(0, t, shape);
    if (is_float(t)) return infer_reals(c, t, shape);
    output_intervals(c, 0, t, shape, combine_intervals(c, shape, [&](const Interval& a, const Interval& b) {
                       return interval::fit(t, Op::bounds(a, b));
                     }));
  }
  static void evaluate(EvalContext& c) {
    const ElementType t = c.input(0).type();
    output_combined(c, t, for_number(t, [](auto e) {
                      return row_with<decltype(e), decltype(e)>([](auto x, auto y) { return Op::of(x, y); });
                    }));
  }

 private:
  static void infer_reals(const InferContext& c, ElementType t, const Shape& shape) {
    if constexpr (requires(RealInterval a) { Op::bounds(a, a); })
      return output_intervals(c, 0, t, shape,
                              combine_reals(c, shape, [&](const RealInterval& a, const RealInterval& b) {
                                return outwards(t, Op::bounds(a, b));
                              }));
    c.output(0, t, shape);
  }
};

// Booleans from two of any type.
template <class Op>
struct Comparison {
  static void schema(OpSchema& s) { schema_of_pairs<Op>(s, any_type); }
  static void ir_attrs(const Node& n, IrAttributes&) { check_broadcast(n); }
  static void infer(InferContext& c) {
    const ElementType t = common_type(c, {0, 1});
    const Shape shape = broadcast_inputs(c);
    if (!binary_bounds_wanted(c, shape)) return c.output(0, ElementType::boolean, shape);
    output_intervals(c, 0, ElementType::boolean, shape,
                     is_float(t) ? of_reals(c, shape)
                                 : combine_intervals(c, shape, [](const Interval& a, const Interval& b) {
                                     return Op::bounds(a, b);
                                   }));
  }
  static void evaluate(EvalContext& c) {
    output_combined(c, ElementType::boolean, for_element(c.input(0).type(), [](auto e) {
                      return row_with<decltype(e), Bool>([](auto x, auto y) { return Op::of(x, y); });
                    }));
  }

 private:
  // What nothing is known of may be NaN.
  static std::vector<Interval> of_reals(const InferContext& c, const Shape& shape) {
    return combine_reals(c, shape, [](const RealInterval& a, const RealInterval& b) {
      if constexpr (requires { Op::bounds(a, b); })
        if (!a.unknown() && !b.unknown()) return Op::bounds(a, b);
      return Interval(0, 1);
    });
  }
};

// Booleans from two booleans.
template <class Op>
struct Logical {
  static void schema(OpSchema& s) { schema_of_pairs<Op>(s, boolean_type); }
  static void infer(InferContext& c) { Comparison<Op>::infer(c); }
  static void evaluate(EvalContext& c) {
    output_combined(c, ElementType::boolean,
                    row_with<Bool, Bool>([](bool x, bool y) { return Op::of(x, y); }));
  }
};

}  // namespace mo::opset
