// Elements of floating-point types, as they are stored and as numbers.
#pragma once

#include <mo/sdk.hpp>

namespace mo::builtin_passes {

template <class Number>
struct PlainFloat {
  using Stored = Number;
  static double get(Number v) { return v; }
  static Number put(double v) { return static_cast<Number>(v); }
};
struct HalfFloat {
  using Stored = uint16_t;
  static double get(uint16_t v) { return half_to_float(v); }
  static uint16_t put(double v) { return float_to_half(static_cast<float>(v)); }
};
struct BrainFloat {
  using Stored = uint16_t;
  static double get(uint16_t v) { return bfloat_to_float(v); }
  static uint16_t put(double v) { return float_to_bfloat(static_cast<float>(v)); }
};

// f(one of these); false for other types.
template <class F>
bool for_float_type(ElementType type, F f) {
  switch (type) {
    case ElementType::f32:
      f(PlainFloat<float>());
      return true;
    case ElementType::f64:
      f(PlainFloat<double>());
      return true;
    case ElementType::f16:
      f(HalfFloat());
      return true;
    case ElementType::bf16:
      f(BrainFloat());
      return true;
    default:
      return false;
  }
}

}  // namespace mo::builtin_passes
