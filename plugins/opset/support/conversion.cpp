#include "support/conversion.hpp"

#include "support/combining.hpp"
#include "support/movement.hpp"

#include <mo/small_floats.hpp>

namespace mo::opset {

namespace {

// Floats lose their fraction. What an int64 still holds wraps around in smaller types, as processors do it;
// NaN is 0, and what is beyond comes as near as the type allows.
template <class To, class From>
To convert_element(From v) {
  if constexpr (std::is_same_v<To, bool>) {
    return v != From{0};
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    if (std::isnan(v)) return 0;
    if (v >= static_cast<From>(0x1p63)) {
      if constexpr (std::is_same_v<To, uint64_t>)
        if (v < static_cast<From>(0x1p64)) return static_cast<uint64_t>(v);
      return std::numeric_limits<To>::max();
    }
    if (v < static_cast<From>(-0x1p63)) return std::numeric_limits<To>::min();
    return static_cast<To>(static_cast<int64_t>(v));
  } else {
    return static_cast<To>(v);
  }
}

Tensor from_small_float(const EvalContext& c, const Tensor& in) {
  std::array<float, 256> values{};
  for (unsigned code = 0; code < values.size(); ++code) values[code] = small_float_value(in.type(), code);
  const Tensor codes = is_packed(in.type()) ? unpacked(c, in) : in;
  return mapped(c, codes, ElementType::f32, [values](const char* from, char* to, size_t n) {
    for (size_t i = 0; i < n; ++i) save(to, i, values[load<uint8_t>(from, i)]);
  });
}

Tensor to_small_float(const EvalContext& c, const Tensor& floats, ElementType type) {
  const Tensor codes = mapped(
      c, floats, is_packed(type) ? ElementType::u8 : type, [type](const char* from, char* to, size_t n) {
        for (size_t i = 0; i < n; ++i)
          save(to, i, static_cast<uint8_t>(small_float_code(type, load<float>(from, i))));
      });
  return of_type(c, codes, type);
}

// As numbers of a whole byte.
Tensor from_packed(const EvalContext& c, const Tensor& in) {
  const Tensor bytes = unpacked(c, in);
  if (in.type() != ElementType::i4) return bytes;
  return mapped(c, bytes, ElementType::i8, [](const char* from, char* to, size_t n) {
    for (size_t i = 0; i < n; ++i) {
      const auto v = load<int8_t>(from, i);
      save(to, i, static_cast<int8_t>(v < 8 ? v : v - 16));
    }
  });
}

// The bounds of floats are whole, so that truncation keeps them.
Interval converted(ElementType from, const Interval& v, ElementType to) {
  if (to == ElementType::boolean) return v.contains(0) ? Interval(0, v.exact() ? 0 : 1) : Interval(1);
  if (!is_float(to)) return interval::fit(to, v);
  if (is_float(from)) return outwards(to, RealInterval(v));
  // Converted as elements are, not by way of double, which rounds twice.
  return for_float(to, [&](auto e) {
    using T = typename decltype(e)::computed;
    const RealInterval open(v);
    return outwards(to, {v.lo == Interval::lowest ? open.lo : static_cast<double>(static_cast<T>(v.lo)),
                         v.hi == Interval::highest ? open.hi : static_cast<double>(static_cast<T>(v.hi))});
  });
}

}  // namespace

static void convert_elements(ElementType in_type, const void* in, ElementType out_type, void* out, size_t n) {
  for_element(in_type, [&](auto from) {
    for_element(out_type, [&](auto to) {
      using From = decltype(from);
      using To = decltype(to);
      for (size_t i = 0; i < n; ++i)
        To::put(out, i, convert_element<typename To::computed>(From::get(in, i)));
    });
  });
}

Tensor converted(const EvalContext& c, const Tensor& in, ElementType type) {
  if (in.type() == type) return in;
  if (is_small_float(in.type())) return converted(c, from_small_float(c, in), type);
  if (is_small_float(type)) return to_small_float(c, converted(c, in, ElementType::f32), type);
  for (const ElementType t : {in.type(), type})
    if (bits(t) == 0 || (is_float(t) && bits(t) < 16)) no_values_for(t);
  if (is_packed(type)) return repacked(c, converted(c, in, ElementType::u8), type);
  if (is_packed(in.type())) return converted(c, from_packed(c, in), type);
  return mapped(c, in, type, [from = in.type(), type](const char* elements, char* to, size_t n) {
    convert_elements(from, elements, type, to, n);
  });
}

void output_converted(const InferContext& c, ElementType type, uint32_t port) {
  require(c.type(port) == type || (c.type(port) != ElementType::string && type != ElementType::string),
          "elements of type ", name(c.type(port)), " would become ", name(type),
          ", and the IR has no conversion from or to strings", hint("cut the model behind it with --input"));
  const Shape shape = c.shape(port);
  bool all = true;  // then evaluate is asked
  for (size_t i = 0; i < c.inputs(); ++i) all = all && (!c.has(i) || c.value(i));
  auto list = all ? std::nullopt : intervals(c, port);
  if (!list || !may_have_bounds(type, shape)) return c.output(port, type, shape);
  for (Interval& v : *list) v = converted(c.type(port), v, type);
  output_intervals(c, port, type, shape, *list);
}

}  // namespace mo::opset
