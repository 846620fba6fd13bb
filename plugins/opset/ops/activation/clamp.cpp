// Clamp: min and max are whole numbers for integer inputs: rounded inwards.
#include "support/unary.hpp"

namespace mo::opset {

struct Clamp {
  static constexpr std::string_view type = "Clamp", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("min(max(x, attribute min), attribute max)")
        .input("data", Role::none, number_types)
        .element_wise()
        .outputs(1)
        .attr<double>("min")
        .attr<double>("max");
  }
  static void infer(InferContext& c) {
    const auto low = c.attr<double>("min"), high = c.attr<double>("max");
    require(low <= high, "attribute 'min' is ", low, " and 'max' is ", high, "; expected min <= max");
    if (!bounds_wanted(c, {0})) return c.output(0, c.type(0), c.shape(0));
    const Interval limits(saturate<int64_t>(std::ceil(low)), saturate<int64_t>(std::floor(high)));
    auto list = *intervals(c, 0);
    for (Interval& v : list)
      v = is_float(c.type(0)) ? outwards(c.type(0), real::minimum(real::maximum(RealInterval(v), low), high))
                              : interval::minimum(interval::maximum(v, limits.lo), limits.hi);
    output_intervals(c, 0, c.type(0), c.shape(0), list);
  }
  static void evaluate(EvalContext& c) {
    const auto low = c.attr<double>("min"), high = c.attr<double>("max");
    map_numbers(c, [=](auto x) {
      using T = decltype(x);
      const T a = saturate<T>(std::is_integral_v<T> ? std::ceil(low) : low);
      const T b = saturate<T>(std::is_integral_v<T> ? std::floor(high) : high);
      return x < a ? a : x > b ? b : x;
    });
  }
};

void register_clamp(Registry& r) { r.operation<Clamp>(); }

}  // namespace mo::opset
