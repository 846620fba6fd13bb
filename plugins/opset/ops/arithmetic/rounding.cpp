// Floor, Ceiling and Round. Integers stay as they are.
#include "support/unary.hpp"

namespace mo::opset {

struct Floor {
  static constexpr std::string_view doc = "the next whole number below";
  template <class T>
  static T of(T x) {
    if constexpr (std::is_floating_point_v<T>) return std::floor(x);
    return x;
  }
  static Interval bounds(const Interval& x) { return x; }
};

struct Ceiling {
  static constexpr std::string_view doc = "the next whole number above";
  template <class T>
  static T of(T x) {
    if constexpr (std::is_floating_point_v<T>) return std::ceil(x);
    return x;
  }
  static Interval bounds(const Interval& x) { return x; }
};

struct Round {
  static constexpr std::string_view type = "Round", opset = "opset5";
  static void schema(OpSchema& s) {
    s.doc("the nearest whole number").input("data", Role::none, number_types).element_wise().outputs(1);
    s.attr<std::string>("mode", "half_to_even").one_of({"half_to_even", "half_away_from_zero"});
  }
  static void infer(InferContext& c) { Unary<Floor>::infer(c); }
  static void evaluate(EvalContext& c) {
    const bool to_even = c.attr<std::string>("mode") == "half_to_even";
    map_numbers(c, [to_even](auto x) {
      if constexpr (std::is_floating_point_v<decltype(x)>) return to_even ? std::nearbyint(x) : std::round(x);
      return x;
    });
  }
};

void register_rounding(Registry& r) {
  r.operation<Unary<Floor>>("Floor", "opset1");
  r.operation<Unary<Ceiling>>("Ceiling", "opset1");
  r.operation<Round>();
}

}  // namespace mo::opset
