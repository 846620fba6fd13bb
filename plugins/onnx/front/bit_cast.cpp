// BitCast: the same bits as another type. The IR has no such operation; numbers are computed that have these
// bits.
#include "loader/schema.hpp"
#include "support/microsoft.hpp"

namespace mo::onnx {

namespace bit_cast_parts {

// Integers of the same width: the upper half of the unsigned ones is the negative half of the others.
static OutPort wrapped(const Build& b, const OutPort& x, ElementType from, ElementType to) {
  const int width = bits(from);
  if (width == 64) return b.convert(x, to);
  const auto i64 = [&](int64_t v) { return b.integer(v); };
  const OutPort wide = b.convert(x, ElementType::i64);
  const int64_t whole = int64_t{1} << width;
  OutPort y;
  if (is_signed(from))
    y = b.select(b.op("Less", "opset1", {wide, i64(0)}), b.add(wide, i64(whole)), wide);
  else
    y = b.select(b.op("GreaterEqual", "opset1", {wide, i64(whole / 2)}), b.subtract(wide, i64(whole)), wide);
  return b.convert(y, to);
}

// Powers of two are exact: 2^e is looked up in a table.
static OutPort power_of_two(const Build& b, const OutPort& exponent, int least, int most) {
  std::vector<double> table;
  for (int e = least; e <= most; ++e) table.push_back(std::ldexp(1.0, e));
  const OutPort list = b.constant(Tensor::filled(b.context(), ElementType::f32, table, {most - least + 1}));
  return ms::gather(b, list, b.subtract(exponent, b.integer(least)), 0);
}

// The float whose bits a number from 0 to 2^32 - 1 has. Numbers of no full mantissa and those that are none
// are made, too, but the runtime may take the former for 0.
static OutPort float_of(const Build& b, const OutPort& number) {
  const auto op = [&](std::string_view t, const OutPort& l, const OutPort& r) {
    return b.op(t, "opset1", {l, r});
  };
  const auto f32 = [&](double v) {
    return b.constant(Tensor::filled(b.context(), ElementType::f32, {v}, {}));
  };
  const int64_t sign_bit = int64_t{1} << 31, one = int64_t{1} << 23;
  const OutPort negative = op("GreaterEqual", number, b.integer(sign_bit));
  const OutPort size = op("FloorMod", number, b.integer(sign_bit));
  const OutPort exponent = op("Divide", size, b.integer(one)),
                mantissa = op("FloorMod", size, b.integer(one));
  const OutPort zero = op("Equal", exponent, b.integer(0)), special = op("Equal", exponent, b.integer(255));
  const OutPort digits =
      b.convert(b.select(zero, mantissa, b.add(mantissa, b.integer(one))), ElementType::f32);
  // 2^(exponent - 150) in two steps, both of which are floats.
  const OutPort shift = op("Maximum", b.integer(1), op("Minimum", exponent, b.integer(254)));
  const OutPort lower = op("Minimum", shift, b.integer(127));
  const OutPort finite = b.multiply(b.multiply(digits, power_of_two(b, b.subtract(shift, lower), 0, 127)),
                                    power_of_two(b, b.subtract(lower, b.integer(150)), -149, -23));
  const double infinity = std::numeric_limits<double>::infinity(),
               nan = std::numeric_limits<double>::quiet_NaN();
  const OutPort other = b.select(op("Equal", mantissa, b.integer(0)), f32(infinity), f32(nan));
  const OutPort y = b.select(special, other, finite);
  return b.select(negative, b.op("Negative", "opset1", {y}), y);
}

// The bits of a float as a number from 0 to 2^32 - 1. What is not a number has the bits of the usual one.
static OutPort bits_of(const Build& b, const OutPort& x) {
  const auto op = [&](std::string_view t, const OutPort& l, const OutPort& r) {
    return b.op(t, "opset1", {l, r});
  };
  const auto f32 = [&](double v) {
    return b.constant(Tensor::filled(b.context(), ElementType::f32, {v}, {}));
  };
  const OutPort size = b.op("Abs", "opset1", {x});
  std::vector<double> ends;
  for (int e = -126; e <= 127; ++e) ends.push_back(std::ldexp(1.0, e));
  // How many powers of two it has reached is its exponent.
  const Node bucket = b.node("Bucketize", "opset3",
                             {size, b.constant(Tensor::filled(b.context(), ElementType::f32, ends, {254}))});
  bucket.set("output_type", ElementType::i64).set("with_right_bound", false);
  const OutPort exponent = bucket.out_port();
  const OutPort shift = op("Maximum", b.integer(1), exponent);
  // 2^(150 - exponent) in two steps, both of which are floats.
  const OutPort first = op("Minimum", b.subtract(b.integer(150), shift), b.integer(100));
  const OutPort second = b.subtract(b.subtract(b.integer(150), shift), first);
  const OutPort finite =
      b.select(op("LessEqual", size, f32(std::numeric_limits<float>::max())), size, f32(0));
  const OutPort digits =
      b.multiply(b.multiply(finite, power_of_two(b, first, -104, 100)), power_of_two(b, second, 0, 49));
  const int64_t one = int64_t{1} << 23;
  // 0 has no leading digit, and neither have the smallest numbers.
  OutPort number =
      b.add(b.convert(digits, ElementType::i64), b.multiply(b.subtract(shift, b.integer(1)), b.integer(one)));
  const OutPort infinite = op("Greater", size, f32(std::numeric_limits<float>::max()));
  number = b.select(infinite, b.integer(255 * one), number);
  number = b.select(op("Equal", x, x), number, b.integer(255 * one + one / 2));
  // -0 is told from 0 by what it gives as a divisor.
  const OutPort negative = op("LogicalOr", op("Less", x, f32(0)), op("Less", b.divide(f32(1), x), f32(0)));
  return b.select(negative, b.add(number, b.integer(int64_t{1} << 31)), number);
}

}  // namespace bit_cast_parts

static Ports bit_cast(Build& b, const SourceNode& n) {
  using namespace bit_cast_parts;
  const auto stated = n.native<int64_t>("to");
  const ElementType to = element_type_of_onnx(stated), from = b.in(0).type();
  require(to != ElementType::unknown, "attribute 'to' is ", data_type_name(stated),
          ", which the IR does not have");
  require(from != ElementType::unknown, "the type of its input cannot be told from the model");
  const auto width = [](ElementType t) { return t == ElementType::boolean ? 8 : bits(t); };
  require(width(from) == width(to), "attribute 'to' is ", name(to), ", but the input is ", name(from),
          ": they differ in size");
  if (from == to) return bypass(n, b.in(0));
  if (const auto value = b.constant(0); value && width(to) >= 8) {
    const auto [t, data] = Tensor::create_bytes(b.context(), to, value->dims());
    std::memcpy(data, value->data(), value->size() * static_cast<size_t>(width(to)) / 8);
    return {b.constant(t)};
  }
  const auto unsigned_of = [&](const OutPort& x) {
    return b.convert(is_signed(from) ? wrapped(b, x, from, ElementType::u32) : x, ElementType::i64);
  };
  if (from == ElementType::boolean) {
    require(to == ElementType::u8 || to == ElementType::i8, "attribute 'to' is ", name(to),
            ", expected an integer");
    return {b.convert(b.in(0), to)};
  }
  if (from == ElementType::f32 && (to == ElementType::i32 || to == ElementType::u32)) {
    const OutPort number = b.convert(bits_of(b, b.in(0)), ElementType::u32);
    return {to == ElementType::u32 ? number : wrapped(b, number, ElementType::u32, to)};
  }
  if ((from == ElementType::i32 || from == ElementType::u32) && to == ElementType::f32)
    return {float_of(b, unsigned_of(b.in(0)))};
  require(is_integer(from) && is_integer(to), "bits of ", name(from), " as ", name(to),
          " can only be looked at in constants: the IR has no such operation");
  return {wrapped(b, b.in(0), from, to)};
}

void register_bit_cast(Registry& r) {
  replace<bit_cast>(r, {"BitCast", "BitCast(x)",
                        "a constant; Select(Less(x, 0), Add(x, 2^bits), x); or by the parts "
                        "of a float, its sign, exponent and mantissa"});
}

}  // namespace mo::onnx
