// Element-wise operations on two inputs of one type. Op gives
//   doc, template <class T> static T of(T a, T b), static Interval bounds(Interval a, Interval b), and where
//   bounds of floats are worth it static RealInterval bounds(RealInterval a, RealInterval b)
// and for Comparison `bool of(T, T)` and the interval within 0..1 of its answer.
#pragma once

#include "support/broadcasting.hpp"
#include "support/elements.hpp"

namespace mo::opset {

// out[i] = f(a[i], b[i]) with broadcasting; In and Out are Elements.
template <class In, class Out, class F>
void combine_rows(const Walk<2>& walk, const void* a, const void* b, void* out, F f) {
  using T = typename Out::computed;
  walk.rows([&](size_t o, const std::array<size_t, 2>& at, const std::array<size_t, 2>& step, size_t n) {
    const auto pa = static_cast<const char*>(a) + at[0] * sizeof(typename In::stored);
    const auto pb = static_cast<const char*>(b) + at[1] * sizeof(typename In::stored);
    const auto po = static_cast<char*>(out) + o * sizeof(typename Out::stored);
    if (step[0] == 0) {
      const auto x = In::get(pa, 0);
      for (size_t i = 0; i < n; ++i) Out::put(po, i, static_cast<T>(f(x, In::get(pb, i * step[1]))));
    } else if (step[1] == 0) {
      const auto y = In::get(pb, 0);
      for (size_t i = 0; i < n; ++i) Out::put(po, i, static_cast<T>(f(In::get(pa, i), y)));
    } else {
      for (size_t i = 0; i < n; ++i) Out::put(po, i, static_cast<T>(f(In::get(pa, i), In::get(pb, i))));
    }
  });
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

// Any number.
template <class Op>
struct Binary {
  static void schema(OpSchema& s) {
    s.doc(Op::doc).inputs(2).outputs(1);
    add_auto_broadcast(s);
  }
  static void ir_attrs(const Node& n, IrAttributes&) { check_broadcast(n); }
  static void infer(InferContext& c) {
    require_number(c, 0);
    require_number(c, 1);
    const ElementType t = common_type(c, {0, 1});
    const Shape shape = broadcast_inputs(c);
    if (!binary_bounds_wanted(c, shape)) return c.output(0, t, shape);
    if (is_float(t)) return infer_reals(c, t, shape);
    output_intervals(c, 0, t, shape, combine_intervals(c, shape, [&](const Interval& a, const Interval& b) {
                       return interval::fit(t, Op::bounds(a, b));
                     }));
  }
  static void evaluate(EvalContext& c) {
    const Tensor a = c.input(0), b = c.input(1);
    const Walk<2> walk = binary_walk(c);
    const auto out = create_grown(c, a.type(), walk.dims(), a.bytes() + b.bytes());
    for_number(a.type(), [&](auto e) {
      combine_rows<decltype(e), decltype(e)>(walk, a.data(), b.data(), out.second,
                                             [](auto x, auto y) { return Op::of(x, y); });
    });
    c.output(0, out.first);
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
  static void schema(OpSchema& s) {
    s.doc(Op::doc).inputs(2).outputs(1);
    add_auto_broadcast(s);
  }
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
    const Tensor a = c.input(0), b = c.input(1);
    const Walk<2> walk = binary_walk(c);
    const auto out = create_grown(c, ElementType::boolean, walk.dims(), a.bytes() + b.bytes());
    for_element(a.type(), [&](auto e) {
      combine_rows<decltype(e), Bool>(walk, a.data(), b.data(), out.second,
                                      [](auto x, auto y) { return Op::of(x, y); });
    });
    c.output(0, out.first);
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
  static void schema(OpSchema& s) { Comparison<Op>::schema(s); }
  static void infer(InferContext& c) {
    require_boolean(c, 0);
    require_boolean(c, 1);
    Comparison<Op>::infer(c);
  }
  static void evaluate(EvalContext& c) {
    const Tensor a = c.input(0), b = c.input(1);
    const Walk<2> walk = binary_walk(c);
    const auto out = create_grown(c, ElementType::boolean, walk.dims(), a.bytes() + b.bytes());
    combine_rows<Bool, Bool>(walk, a.data(), b.data(), out.second,
                             [](bool x, bool y) { return Op::of(x, y); });
    c.output(0, out.first);
  }
};

}  // namespace mo::opset
