#include "support/float_bits.hpp"

#include <cmath>
#include <limits>

namespace mo::tflite {

namespace {

// How a type lays out its bits, and the types that its numbers are computed with: sums of integers, powers
// and quotients of two are exact there.
struct Layout {
  int mantissa, bias;
  ElementType real, whole, same_size;
};

Layout layout_of(ElementType type) {
  switch (type) {
    case ElementType::f16:
      return {10, 15, ElementType::f32, ElementType::i32, ElementType::i16};
    case ElementType::bf16:
      return {7, 127, ElementType::f32, ElementType::i32, ElementType::i16};
    case ElementType::f64:
      return {52, 1023, ElementType::f64, ElementType::i64, ElementType::i64};
    default:
      return {23, 127, ElementType::f32, ElementType::i32, ElementType::i32};
  }
}

class Bits {
 public:
  Bits(const Build& b, ElementType type)
      : b_(b), type_(type), l_(layout_of(type)), leading_(std::ldexp(1.0, l_.mantissa)) {}

  OutPort of(const OutPort& given) const {
    const OutPort x = b_.convert(given, l_.real), size = op("Abs", {x});
    const OutPort finite = op("Less", {size, real(INFINITY)});
    return b_.convert(with_sign(is_negative(x), of_size(x, size, finite)), l_.same_size);
  }

  OutPort floats(const OutPort& given) const {
    const OutPort x = b_.convert(b_.convert(given, l_.same_size), l_.whole), zero = whole(0);
    const OutPort negative = op("Less", {x, zero});
    const OutPort without_sign = op("Subtract", {op("Minimum", {x, whole(-1)}), whole(-sign())});
    const OutPort size = b_.select(negative, without_sign, x);
    const OutPort exponent = op("Divide", {size, whole(leading_)});
    const OutPort rest = op("Subtract", {size, op("Multiply", {exponent, whole(leading_)})});
    const OutPort part = op("Divide", {b_.convert(rest, l_.real), real(leading_)});
    const OutPort denormal = op("Equal", {exponent, zero});
    const OutPort mantissa = op("Add", {part, b_.select(denormal, real(0), real(1))});
    const OutPort last = whole(2 * l_.bias), infinite = op("Greater", {exponent, last});
    const OutPort within = op("Maximum", {op("Minimum", {exponent, last}), whole(1)});
    const OutPort number = op("Multiply", {mantissa, power(op("Subtract", {within, whole(1)}))});
    const OutPort beyond =
        b_.select(op("Equal", {rest, zero}), real(INFINITY), real(std::numeric_limits<double>::quiet_NaN()));
    const OutPort y = b_.select(infinite, beyond, number);
    return b_.convert(b_.select(negative, op("Multiply", {y, real(-1)}), y), type_);  // 0 - 0 is not -0
  }

 private:
  OutPort op(std::string_view type, const Ports& inputs) const { return op1(b_, type, inputs); }
  OutPort real(double v) const { return b_.constant(Tensor::filled(b_.context(), l_.real, {v}, {})); }
  OutPort whole(double v) const { return b_.constant(Tensor::filled(b_.context(), l_.whole, {v}, {})); }
  // What the sign counts.
  double sign() const { return std::ldexp(1.0, bits(type_) - 1); }

  // 2^(index + 1 - bias): of all exponents, from the smallest one that is not denormal on.
  OutPort power(const OutPort& index) const {
    std::vector<double> all;
    for (int e = 1 - l_.bias; e <= l_.bias; ++e) all.push_back(std::ldexp(1.0, e));
    const auto count = static_cast<int64_t>(all.size());
    return b_.gather(b_.constant(Tensor::filled(b_.context(), l_.real, all, {count})), index, 0);
  }
  // -0 is told by what 1 divided by it is.
  OutPort is_negative(const OutPort& x) const {
    const OutPort zero = real(0);
    return op("LogicalOr", {op("Less", {x, zero}), op("Less", {op("Divide", {real(1), x}), zero})});
  }
  OutPort with_sign(const OutPort& negative, const OutPort& size) const {
    return b_.select(negative, op("Add", {size, whole(-sign())}), size);
  }

  // Exponent and mantissa side by side.
  OutPort of_size(const OutPort& x, const OutPort& size, const OutPort& finite) const {
    const OutPort some = b_.select(finite, size, real(1));
    // The logarithm may be off by one where it is near a whole number.
    const double least = 1 - l_.bias;
    const OutPort log = op("Log", {op("Maximum", {some, real(std::ldexp(1.0, 1 - l_.bias))})});
    const OutPort near = op("Floor", {op("Divide", {log, real(std::log(2.0))})});
    const OutPort within = op("Maximum", {op("Minimum", {near, real(l_.bias)}), real(least)});
    const OutPort guess = b_.convert(op("Subtract", {within, real(least)}), l_.whole);
    const OutPort low = power(guess);
    const OutPort too_high = b_.convert(op("Less", {some, low}), l_.whole);
    const OutPort too_low = b_.convert(op("GreaterEqual", {op("Divide", {some, low}), real(2)}), l_.whole);
    const OutPort moved = op("Add", {op("Subtract", {guess, too_high}), too_low});
    const OutPort index = op("Maximum", {op("Minimum", {moved, whole(2 * l_.bias - 1)}), whole(0)});
    const OutPort mantissa = op("Divide", {some, power(index)});  // from 1 to 2, or of denormals below 1
    const OutPort units = b_.convert(op("Multiply", {mantissa, real(leading_)}), l_.whole);
    const OutPort number = op("Add", {op("Multiply", {index, whole(leading_)}), units});
    const double infinity = (2 * l_.bias + 1) * leading_;
    const OutPort is_number = op("Equal", {x, x});
    const OutPort beyond = b_.select(is_number, whole(infinity), whole(infinity + leading_ / 2));
    return b_.select(finite, number, beyond);
  }

  const Build& b_;
  ElementType type_;
  Layout l_;
  double leading_;  // 1 before the mantissa's bits
};

}  // namespace

bool has_known_bits(ElementType type) {
  return type == ElementType::f32 || type == ElementType::f16 || type == ElementType::bf16 ||
         type == ElementType::f64;
}

OutPort bits_of_floats(const Build& b, const OutPort& x) { return Bits(b, x.type()).of(x); }

OutPort floats_of_bits(const Build& b, const OutPort& x, ElementType type) { return Bits(b, type).floats(x); }

}  // namespace mo::tflite
