// CumSum: running sums along an axis.
#include "support/limits.hpp"
#include "support/movement.hpp"
#include "support/wrapping.hpp"

namespace mo::opset {

struct CumSum {
  static constexpr std::string_view type = "CumSum", opset = "opset3";
  static void schema(OpSchema& s) {
    s.doc("data, [axis]")
        .input("data", Role::data, number_types)
        .optional_input("axis", Role::axes)
        .keeps_shape()
        .outputs(1)
        .attr<bool>("exclusive", false)
        .attr<bool>("reverse", false);
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(n,
                 {{"the axis is an input", "",
                   "src/core/src/op/cum_sum.cpp of 2025, ngraph/core/src/op/cum_sum.cpp:52", is_connected<1>},
                  {"the axis is i32 or i64", "", "src/core/src/op/cum_sum.cpp of 2025", are_i32_or_i64<1>}});
  }
  static void infer(InferContext& c) {
    const Shape in = c.shape(0);
    const auto axis = c.has(1) ? scalar_input(c, 1, "axis") : std::optional<int64_t>(0);
    if (in.has_rank() && axis) normalize_axis(*axis, in.size());
    if (axis && may_have_bounds(c.type(0), in) && bounds_wanted(c, {0}))
      return output_intervals(c, 0, c.type(0), in, bounds(c, normalize_axis(*axis, in.size())));
    c.output(0, c.type(0), in);
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0);
    const Dims dims = in.dims();
    const size_t axis = normalize_axis(c.has(1) ? c.input(1).to_ints().at(0) : 0, dims.size());
    const bool exclusive = c.attr<bool>("exclusive"), reverse = c.attr<bool>("reverse");
    const auto out = Tensor::create_bytes(c.context(), in.type(), dims);
    const auto n = static_cast<size_t>(dims[axis]), inner = static_cast<size_t>(dense_strides(dims)[axis]);
    for_number(in.type(), [&](auto e) {
      using E = decltype(e);
      using T = typename E::computed;
      for (size_t start = 0; start < in.size(); start += n * inner)
        for (size_t k = start; k < start + inner; ++k) {
          T sum{};
          for (size_t i = 0; i < n; ++i) {
            const size_t at = k + (reverse ? n - 1 - i : i) * inner;
            const T next = wrapping::add(sum, E::get(in.data(), at));
            E::put(out.second, at, exclusive ? sum : next);
            sum = next;
          }
        }
    });
    c.output(0, out.first);
  }

 private:
  static std::vector<Interval> bounds(const InferContext& c, size_t axis) {
    const ElementType t = c.type(0);
    // What sums of floats are kept in.
    const ElementType wide = is_float(t) && t != ElementType::f64 ? ElementType::f32 : t;
    const auto plus = [&](const Interval& a, const Interval& b) {
      return is_float(t) ? outwards(wide, real::sum(RealInterval(a), RealInterval(b)))
                         : interval::fit(t, interval::sum(a, b));
    };
    const Dims dims = c.shape(0).to_static();
    const bool exclusive = c.attr<bool>("exclusive"), reverse = c.attr<bool>("reverse");
    const auto in = *intervals(c, 0);
    std::vector<Interval> list(in.size());
    const auto n = static_cast<size_t>(dims[axis]), inner = static_cast<size_t>(dense_strides(dims)[axis]);
    for (size_t start = 0; start < in.size(); start += n * inner)
      for (size_t k = start; k < start + inner; ++k) {
        Interval sum = 0;
        for (size_t i = 0; i < n; ++i) {
          const size_t at = k + (reverse ? n - 1 - i : i) * inner;
          const Interval next = plus(sum, in[at]);
          list[at] = exclusive ? sum : next;
          if (wide != t) list[at] = outwards(t, RealInterval(list[at]));
          sum = next;
        }
      }
    return list;
  }
};

void register_cum_sum(Registry& r) { r.operation<CumSum>(); }

}  // namespace mo::opset
