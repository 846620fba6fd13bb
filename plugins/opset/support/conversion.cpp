#include "support/conversion.hpp"

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

unsigned code_at(const Tensor& t, size_t i) {
  const auto* const bytes = static_cast<const uint8_t*>(t.data());
  return bits(t.type()) == 4 ? bytes[i / 2] >> (i % 2 * 4) & 15U : bytes[i];
}

Tensor from_small_float(const EvalContext& c, const Tensor& in) {
  auto [out, data] = Tensor::create<float>(c.context(), in.dims());
  for (size_t i = 0; i < out.size(); ++i) data[i] = small_float_value(in.type(), code_at(in, i));
  return out;
}

Tensor to_small_float(const EvalContext& c, const Tensor& floats, ElementType type) {
  const auto out = Tensor::create_bytes(c.context(), type, floats.dims());
  auto* const bytes = static_cast<uint8_t*>(out.second);
  for (size_t i = 0; i < floats.size(); ++i) {
    const unsigned code = small_float_code(type, load<float>(floats.data(), i));
    if (bits(type) == 8)
      bytes[i] = static_cast<uint8_t>(code);
    else
      bytes[i / 2] = static_cast<uint8_t>(i % 2 == 0 ? code : bytes[i / 2] | code << 4);
  }
  return out.first;
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

static Tensor lazily_converted(const EvalContext& c, const Tensor& in, ElementType type) {
  const size_t from = width_of(in.type()), to = width_of(type);
  return lazy_tensor(c.context(), type, in.dims(), {in},
                     [in, type, from, to](Context at, uint64_t offset, uint64_t bytes, char* out) {
                       constexpr uint64_t most = 1024;
                       alignas(8) char piece[most * 8];
                       for (uint64_t i = offset / to, end = i + bytes / to; i < end;) {
                         const uint64_t n = std::min(most, end - i);
                         in.read(at, i * from, n * from, piece);
                         convert_elements(in.type(), piece, type, out, static_cast<size_t>(n));
                         out += n * to;
                         i += n;
                       }
                     });
}

Tensor converted(const EvalContext& c, const Tensor& in, ElementType type) {
  if (in.type() == type) return in;
  if (is_small_float(in.type())) return converted(c, from_small_float(c, in), type);
  if (is_small_float(type)) return to_small_float(c, converted(c, in, ElementType::f32), type);
  for (const ElementType t : {in.type(), type})
    if (bits(t) == 0 || (is_float(t) && bits(t) < 16)) no_values_for(t);
  if (is_packed(type)) return repacked(c, converted(c, in, ElementType::u8), type);
  if (is_packed(in.type())) {
    auto [bytes, data] = Tensor::create<int8_t>(c.context(), in.dims());
    for (size_t i = 0; i < bytes.size(); ++i) data[i] = static_cast<int8_t>(in.integer(i));
    return converted(c, bytes, type);
  }
  if (std::max(in.bytes(), in.bytes() / width_of(in.type()) * width_of(type)) >= lazy_bytes)
    return lazily_converted(c, in, type);
  const auto out = Tensor::create_bytes(c.context(), type, in.dims());
  convert_elements(in.type(), in.data(), type, out.second, in.size());
  return out.first;
}

void output_converted(const InferContext& c, ElementType type, uint32_t port) {
  require(c.type(port) == type || (c.type(port) != ElementType::string && type != ElementType::string),
          "elements of type ", name(c.type(port)), " would become ", name(type),
          ", and the IR has no conversion from or to strings; cut the model behind it (--input)");
  const Shape shape = c.shape(port);
  bool all = true;  // then evaluate is asked
  for (size_t i = 0; i < c.inputs(); ++i) all = all && (!c.has(i) || c.value(i));
  auto list = all ? std::nullopt : intervals(c, port);
  if (!list || !may_have_bounds(type, shape)) return c.output(port, type, shape);
  for (Interval& v : *list) v = converted(c.type(port), v, type);
  output_intervals(c, port, type, shape, *list);
}

}  // namespace mo::opset
