// Reductions over axes. Op gives doc and, for elements of type T,
//   struct State { void add(T x); T result(size_t count) const; }  as a template State<T>
// and `static Interval bounds(const std::vector<Interval>&)`, and for floats the same with RealInterval.
#pragma once

#include "support/movement.hpp"

namespace mo::opset {

// The shape after a reduction over the axes of input 1, as far as they are known.
Shape reduced_shape(const InferContext& c, bool keep_dims);

// Where the elements are: for result k the elements kept[k] + reduced[0], kept[k] + reduced[1], …
struct ReductionPlan {
  Dims dims, kept, reduced;
};
ReductionPlan reduction_plan(const Dims& in, const std::vector<size_t>& axes, bool keep_dims);

template <class Op, bool Booleans = false>
struct Reduction {
  static void schema(OpSchema& s) {
    s.doc(Op::doc);
    s.inputs(2).outputs(1).attr<bool>("keep_dims", false);
  }
  static void infer(InferContext& c) {
    Booleans ? require_boolean(c, 0) : require_number(c, 0);
    const bool keep = c.attr<bool>("keep_dims");
    const Shape in = c.shape(0), out = reduced_shape(c, keep);
    const ElementType t = c.type(0);
    if (may_have_bounds(t, in) && bounds_wanted(c, {0}))
      if (const auto axes = axes_input(c, 1, in.size())) {
        const ReductionPlan plan = reduction_plan(in.to_static(), *axes, keep);
        const auto elements = *intervals(c, 0);
        std::vector<Interval> list;
        for (const int64_t k : plan.kept) {
          std::vector<Interval> part;
          for (const int64_t r : plan.reduced) part.push_back(elements[static_cast<size_t>(k + r)]);
          list.push_back(bounds(t, part));
        }
        return output_intervals(c, 0, t, out, list);
      }
    c.output(0, t, out);
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0);
    const auto axes = unique_axes(c.input(1).to_ints(), in.rank(), "axes");
    const ReductionPlan plan = reduction_plan(in.dims(), axes, c.attr<bool>("keep_dims"));
    const auto out = Tensor::create_bytes(c.context(), in.type(), plan.dims);
    const auto run = [&](auto e) {
      using E = decltype(e);
      for (size_t k = 0; k < plan.kept.size(); ++k) {
        typename Op::template State<typename E::computed> state;
        for (const int64_t r : plan.reduced)
          state.add(E::get(in.data(), static_cast<size_t>(plan.kept[k] + r)));
        E::put(out.second, k, state.result(plan.reduced.size()));
      }
    };
    if constexpr (Booleans) {
      require(in.type() == ElementType::boolean, "the data has element type ", name(in.type()),
              "; expected boolean");
      run(Bool{});
    } else
      for_number(in.type(), run);
    c.output(0, out.first);
  }

 private:
  static Interval bounds(ElementType t, const std::vector<Interval>& part) {
    if constexpr (!Booleans)
      if (is_float(t)) {
        std::vector<RealInterval> reals;
        for (const Interval& v : part) reals.emplace_back(v);
        return outwards(t, Op::bounds(reals));
      }
    return interval::fit(t, Op::bounds(part));
  }
};

}  // namespace mo::opset
