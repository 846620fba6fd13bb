// Mantissa and exponent of floats, and their neighbours. All numbers that are multiplied are powers of two, from a
// table, so nothing is rounded.
#include "support/values.hpp"

#include <cmath>
#include <limits>

namespace mo::pytorch {

namespace float_parts {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int least = -149, most = 127;  // exponents of f32

static OutPort single(const Call& c, std::string_view name) {
  const OutPort x = c.tensor(name);
  if (x.type() != ElementType::f32)
    decline(text("argument '", name, "' is ", mo::name(x.type()), "; parts of floats are converted of f32"));
  return x;
}

static OutPort power_of_two(const Call& c, const OutPort& exponent) {
  std::vector<double> all;
  for (int e = least; e <= most; ++e) all.push_back(std::ldexp(1.0, e));
  const OutPort table =
      c.b.constant(Tensor::filled(c.b.context(), ElementType::f32, all, {most - least + 1}));
  const OutPort place = c.b.clamp(c.b.subtract(exponent, c.like(exponent, least)), 0, most - least);
  return gather(c, table, c.b.convert(place, ElementType::i32), 0);
}

// In two steps, as 2^149 is no number of f32.
static OutPort times_power_of_two(const Call& c, const OutPort& x, const OutPort& exponent) {
  const OutPort first = c.op1("Floor", {c.b.multiply(exponent, c.like(exponent, 0.5))});
  const OutPort y = c.b.multiply(x, power_of_two(c, first));
  return c.b.multiply(y, power_of_two(c, c.b.subtract(exponent, first)));
}

struct Split {
  OutPort mantissa, exponent;  // of 0.5 and more, below 1; both f32
  OutPort usual;               // x is neither 0 nor infinite, and a number
};
static Split split(const Call& c, const OutPort& size) {
  const OutPort zero = c.like(size, 0), one = c.like(size, 1), half = c.like(size, 0.5);
  const OutPort above = c.op1("Greater", {size, zero}), below = is_less(c, size, c.like(size, infinity));
  const OutPort usual = c.op1("LogicalAnd", {above, below});
  const OutPort x = c.b.select(usual, size, one);
  // The logarithm may be off by one where it is nearly whole.
  const OutPort log = c.b.multiply(c.op1("Log", {x}), c.like(x, 1 / std::log(2.0)));
  OutPort e = c.b.add(c.b.clamp(c.op1("Floor", {log}), least, most), one);
  OutPort m = times_power_of_two(c, x, c.op1("Negative", {e}));
  const OutPort large = c.op1("GreaterEqual", {m, one}), small = is_less(c, m, half);
  e = c.b.select(large, c.b.add(e, one), c.b.select(small, c.b.subtract(e, one), e));
  m = c.b.select(large, c.b.multiply(m, half), c.b.select(small, c.b.add(m, m), m));
  return {m, e, usual};
}

static Ports mantissa_and_exponent(const Call& c) {
  const OutPort x = single(c, "self");
  const Split s = split(c, c.op1("Abs", {x}));
  const OutPort mantissa = c.b.select(s.usual, c.b.multiply(s.mantissa, c.op1("Sign", {x})), x);
  const OutPort exponent = c.b.select(s.usual, s.exponent, c.like(s.exponent, 0));
  return {mantissa, c.b.convert(exponent, ElementType::i32)};
}

// The neighbour of x in the direction of y: further from 0 or closer to it by the unit of its last digit, which below
// a power of two is half of that above it.
static Ports next_float(const Call& c) {
  const OutPort x = single(c, "self"), y = single(c, "other");
  const OutPort zero = c.like(x, 0), size = c.op1("Abs", {x});
  const Split s = split(c, size);
  const OutPort up = c.op1("Greater", {y, x}), positive = c.op1("Greater", {x, zero});
  const OutPort grows = c.op1("Equal", {up, positive});
  // Of the mantissa, so that no unit is too small for runtimes that have no numbers below the normal ones; those have
  // fewer digits.
  constexpr int digits = 24, least_normal = least + digits;
  const OutPort unit =
      power_of_two(c, c.op1("Maximum", {c.b.subtract(c.like(x, least), s.exponent), c.like(x, -digits)}));
  const OutPort on_edge = c.op1("LogicalAnd", {c.op1("Equal", {s.mantissa, c.like(x, 0.5)}),
                                               c.op1("Greater", {s.exponent, c.like(x, least_normal)})});
  const OutPort smaller = c.b.select(on_edge, c.b.multiply(unit, c.like(x, 0.5)), unit);
  OutPort next = c.b.select(grows, c.b.add(s.mantissa, unit), c.b.subtract(s.mantissa, smaller));
  next = times_power_of_two(c, next, s.exponent);
  next = c.b.multiply(next, c.op1("Sign", {x}));
  // From an infinite number there is only the way back.
  const double largest = std::numeric_limits<float>::max(), tiny = std::numeric_limits<float>::denorm_min();
  const OutPort from_end = c.b.multiply(c.op1("Sign", {x}), c.like(x, largest));
  next = c.b.select(c.op1("Equal", {size, c.like(x, infinity)}), from_end, next);
  const OutPort from_zero = c.b.select(up, c.like(x, tiny), c.like(x, -tiny));
  next = c.b.select(c.op1("Equal", {x, zero}), from_zero, next);
  // What is no number stays none.
  const OutPort sum = c.b.add(x, y),
                numbers = c.op1("LogicalAnd", {c.op1("Equal", {x, x}), c.op1("Equal", {y, y})});
  return {c.b.select(numbers, c.b.select(c.op1("Equal", {x, y}), y, next), sum)};
}

}  // namespace float_parts

void register_float_parts(Registry& r) {
  using namespace float_parts;
  convert<mantissa_and_exponent>(r, "aten.frexp.Tensor", "frexp(x)",
                                 "e = Floor(Log(x) / Log(2)) + 1; Multiply(x, Gather(powers of two, -e))");
  convert<next_float>(r, "aten.nextafter.default", "nextafter(x, y)",
                      "Multiply(Add(mantissa of x, 2^-24), Gather(powers of two, exponent of x))");
}

}  // namespace mo::pytorch
