#include "apps/elements/elements.hpp"

#include <mo/half.hpp>

#include <charconv>
#include <cmath>
#include <cstring>

#include "core/support/numbers.hpp"

namespace mo::app {

namespace {

template <class T>
T load(const std::byte* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}
template <class T>
void store(std::byte* p, T value) {
  std::memcpy(p, &value, sizeof value);
}

// The pattern that a bare "nan" stands for.
template <class Bits>
constexpr Bits plain_nan(ElementType t) {
  if constexpr (sizeof(Bits) == 8) return 0x7ff8000000000000U;
  if constexpr (sizeof(Bits) == 4) return 0x7fc00000U;
  return static_cast<Bits>(t == ElementType::f16 ? 0x7e00U : 0x7fc0U);
}

// True when the value is a NaN, which then is written.
template <class Bits, class Float>
bool append_nan(std::string& out, ElementType t, Bits bits, Float value) {
  if (!std::isnan(value)) return false;
  out += "nan";
  if (bits == plain_nan<Bits>(t)) return true;
  char hex[20];
  const auto end = std::to_chars(hex, hex + sizeof hex, static_cast<uint64_t>(bits), 16).ptr;
  out.append("(0x").append(hex, end).append(")");
  return true;
}

template <class Bits, class Float>
void append_float(std::string& out, ElementType t, Bits bits, Float value) {
  if (!append_nan(out, t, bits, value)) append_text(out, value);  // "inf" and "-inf", too
}

// As few digits as bring the 16 bits back: 0.1, where the exact value is 0.099975586.
template <class ToFloat, class FromFloat>
void append_small_float(std::string& out, ElementType t, uint16_t bits, ToFloat to_float,
                        FromFloat from_float) {
  const float value = to_float(bits);
  if (append_nan(out, t, bits, value)) return;
  if (!std::isfinite(value) || value == std::trunc(value)) return append_text(out, value);
  char digits[32];
  for (int precision = 1;; ++precision) {
    const auto end =
        std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, precision).ptr;
    float back = 0;
    std::from_chars(digits, end, back);
    if (from_float(back) != bits && precision < 9) continue;
    out.append(digits, end);
    return;
  }
}

// True when `text` spells a NaN.
template <class Bits>
bool parse_nan(std::string_view s, ElementType t, Bits& bits) {
  if (s == "nan") {
    bits = plain_nan<Bits>(t);
    return true;
  }
  if (!s.starts_with("nan(0x") || !s.ends_with(")")) return false;
  s = s.substr(6, s.size() - 7);
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), bits, 16);
  return error == std::errc() && end == s.data() + s.size();
}

template <class Bits, class Float, class ToFloat, class FromFloat>
bool parse_float(std::string_view s, ElementType t, std::byte* element, ToFloat to_float,
                 FromFloat from_float) {
  Bits bits;
  if (parse_nan(s, t, bits)) {
    if (!std::isnan(to_float(bits))) return false;
  } else {
    const auto value = core::parse_number<Float>(s);
    if (!value) return false;
    bits = from_float(*value);
  }
  store(element, bits);
  return true;
}

template <class To, class From>
To same_bits(From from) {
  To to;
  static_assert(sizeof to == sizeof from);
  std::memcpy(&to, &from, sizeof to);
  return to;
}

// f(T{}) for the integer type T of these elements; false for others.
template <class F>
bool with_integer_type(ElementType t, F f) {
  switch (t) {
    case ElementType::i8:
      return f(int8_t{});
    case ElementType::u8:
      return f(uint8_t{});
    case ElementType::i16:
      return f(int16_t{});
    case ElementType::u16:
      return f(uint16_t{});
    case ElementType::i32:
      return f(int32_t{});
    case ElementType::u32:
      return f(uint32_t{});
    case ElementType::i64:
      return f(int64_t{});
    case ElementType::u64:
      return f(uint64_t{});
    default:
      return false;
  }
}

}  // namespace

bool has_element_text(ElementType t) {
  if (t == ElementType::f8e4m3 || t == ElementType::f8e5m2 || t == ElementType::f8e8m0) return false;
  return bits(t) >= 8 && bits(t) % 8 == 0;
}

bool append_element(std::string& out, ElementType t, const std::byte* p) {
  switch (t) {
    case ElementType::boolean: {
      const auto b = load<uint8_t>(p);
      if (b > 1) return false;
      append_text(out, b == 1);
      return true;
    }
    case ElementType::f16:
      append_small_float(out, t, load<uint16_t>(p), half_to_float, float_to_half);
      return true;
    case ElementType::bf16:
      append_small_float(out, t, load<uint16_t>(p), bfloat_to_float, float_to_bfloat);
      return true;
    case ElementType::f32:
      append_float(out, t, load<uint32_t>(p), load<float>(p));
      return true;
    case ElementType::f64:
      append_float(out, t, load<uint64_t>(p), load<double>(p));
      return true;
    default:
      return with_integer_type(t, [&](auto zero) {
        append_text(out, +load<decltype(zero)>(p));  // of one byte, too, as a number
        return true;
      });
  }
}

bool parse_element(std::string_view s, ElementType t, std::byte* p) {
  switch (t) {
    case ElementType::boolean:
      if (s != "true" && s != "false" && s != "1" && s != "0") return false;
      store(p, static_cast<uint8_t>(s == "true" || s == "1"));
      return true;
    case ElementType::f16:
      return parse_float<uint16_t, float>(s, t, p, half_to_float, float_to_half);
    case ElementType::bf16:
      return parse_float<uint16_t, float>(s, t, p, bfloat_to_float, float_to_bfloat);
    case ElementType::f32:
      return parse_float<uint32_t, float>(s, t, p, same_bits<float, uint32_t>, same_bits<uint32_t, float>);
    case ElementType::f64:
      return parse_float<uint64_t, double>(s, t, p, same_bits<double, uint64_t>, same_bits<uint64_t, double>);
    default:
      return with_integer_type(t, [&](auto zero) {
        const auto value = core::parse_number<decltype(zero)>(s);
        if (value) store(p, *value);
        return value.has_value();
      });
  }
}

void append_double(std::string& out, double value) {
  const size_t start = out.size();
  append_float(out, ElementType::f64, same_bits<uint64_t>(value), value);
  if (out.find_first_not_of("-0123456789", start) == std::string::npos) out += ".0";
}

bool parse_double(std::string_view s, double& value) {
  std::byte bytes[sizeof value];
  if (!parse_element(s, ElementType::f64, bytes)) return false;
  value = load<double>(bytes);
  return true;
}

bool unpack_strings(std::string_view bytes, std::vector<std::string_view>& strings) {
  strings.clear();
  const auto at = [&](size_t i) {
    return load<int32_t>(reinterpret_cast<const std::byte*>(bytes.data()) + 4 * i);
  };
  if (bytes.size() < 8 || at(0) < 0 || (bytes.size() - 8) / 4 < static_cast<size_t>(at(0))) return false;
  const auto count = static_cast<size_t>(at(0));
  const std::string_view content = bytes.substr(4 * (count + 2));
  if (at(1) != 0 || static_cast<size_t>(at(count + 1)) != content.size()) return false;
  for (size_t i = 1; i <= count; ++i) {
    if (at(i + 1) < at(i) || static_cast<size_t>(at(i + 1)) > content.size()) return false;
    strings.push_back(content.substr(static_cast<size_t>(at(i)), static_cast<size_t>(at(i + 1) - at(i))));
  }
  return true;
}

std::string pack_strings(const std::vector<std::string>& strings) {
  std::string out;
  const auto put = [&](size_t value) {
    require(value <= INT32_MAX, "strings of more than 2 GiB do not fit into one tensor");
    const auto v = static_cast<int32_t>(value);
    out.append(reinterpret_cast<const char*>(&v), sizeof v);
  };
  put(strings.size());
  size_t offset = 0;
  put(offset);
  for (const std::string& s : strings) put(offset += s.size());
  for (const std::string& s : strings) out += s;
  return out;
}

}  // namespace mo::app
