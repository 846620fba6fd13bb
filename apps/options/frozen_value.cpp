#include <mo/half.hpp>

#include <cmath>
#include <cstring>
#include <limits>

#include "apps/elements/elements.hpp"
#include "apps/options/input_grammar.hpp"
#include "core/support/numbers.hpp"

namespace mo::app {

namespace {

// Elements of "[1 2, 3]", or the only one of "1". Those with blanks stand in quotes; nothing when a quote is
// open.
std::optional<std::vector<std::string>> elements_of(const std::string& text) {
  std::string_view s = text;
  if (s.starts_with('[')) s = s.substr(1, s.size() - 2);
  std::vector<std::string> list;
  for (size_t i = 0; i < s.size();) {
    const bool quoted = s[i] == '"' || s[i] == '\'';
    const size_t begin = quoted ? i + 1 : i;
    const size_t end = quoted ? s.find(s[i], begin) : std::min(s.find_first_of(", \t", begin), s.size());
    if (end == std::string_view::npos) return std::nullopt;
    if (quoted || end != begin) list.emplace_back(s.substr(begin, end - begin));
    i = end + 1;
  }
  return list;
}

template <class T>
bool parse_integer(const std::string& s, uint64_t& bits) {
  const auto v = core::parse_number<T>(s);
  bits = 0;
  if (v) std::memcpy(&bits, &*v, sizeof *v);
  return v.has_value();
}

bool parse_boolean(const std::string& s, uint64_t& bits) {
  bits = s == "True" || s == "true" || s == "1" ? 1 : 0;
  return bits == 1 || s == "False" || s == "false" || s == "0";
}

// Integers of less than a byte.
bool parse_small(const std::string& s, ElementType type, uint64_t& bits) {
  const auto v = core::parse_number<int>(s);
  const int values = 1 << mo::bits(type), least = info(type).kind == 'i' ? -values / 2 : 0;
  bits = static_cast<uint64_t>(v.value_or(0)) & static_cast<uint64_t>(values - 1);
  return v && *v >= least && *v < least + values;
}

bool parse_real(const std::string& s, ElementType type, uint64_t& bits) {
  const auto number = core::parse_number<double>(s);
  if (!number) return false;
  const double v = *number;
  const auto f = static_cast<float>(v);
  bits = 0;
  if (type == ElementType::f64) std::memcpy(&bits, &v, sizeof v);
  if (type == ElementType::f32) std::memcpy(&bits, &f, sizeof f);
  if (type == ElementType::f16) bits = float_to_half(f);
  if (type == ElementType::bf16) bits = float_to_bfloat(f);
  const float kept = type == ElementType::f16    ? half_to_float(static_cast<uint16_t>(bits))
                     : type == ElementType::bf16 ? bfloat_to_float(static_cast<uint16_t>(bits))
                                                 : f;
  return type == ElementType::f64 || !std::isfinite(v) || std::isfinite(kept);
}

// The bits of one element, little-endian; false when the text is no such number.
bool parse_element(std::string s, ElementType type, uint64_t& bits) {
  // A truth value is a number, too, as it is in Python.
  if (s == "True" || s == "False") s = s == "True" ? "1" : "0";
  if (s.size() > 1 && s[0] == '+' && s[1] != '-') s.erase(0, 1);
  if (is_integer(type) && mo::bits(type) < 8) return parse_small(s, type, bits);
  switch (type) {
    case ElementType::boolean:
      return parse_boolean(s, bits);
    case ElementType::i8:
      return parse_integer<int8_t>(s, bits);
    case ElementType::i16:
      return parse_integer<int16_t>(s, bits);
    case ElementType::i32:
      return parse_integer<int32_t>(s, bits);
    case ElementType::i64:
      return parse_integer<int64_t>(s, bits);
    case ElementType::u8:
      return parse_integer<uint8_t>(s, bits);
    case ElementType::u16:
      return parse_integer<uint16_t>(s, bits);
    case ElementType::u32:
      return parse_integer<uint32_t>(s, bits);
    case ElementType::u64:
      return parse_integer<uint64_t>(s, bits);
    default:
      return parse_real(s, type, bits);
  }
}

bool can_be_typed(ElementType t) {
  return t == ElementType::boolean || t == ElementType::f16 || t == ElementType::bf16 ||
         t == ElementType::f32 || t == ElementType::f64 || t == ElementType::string || is_integer(t);
}

// Elements of less than a byte stand one after the other; single bits from the highest one down, others from
// the lowest up.
void store(std::byte* data, ElementType type, size_t i, uint64_t element) {
  const auto width = static_cast<size_t>(bits(type));
  if (width >= 8) {
    std::memcpy(data + i * width / 8, &element, width / 8);
    return;
  }
  for (size_t b = 0; b < width; ++b) {
    const size_t at = i * width + b;
    const size_t shift = type == ElementType::u1 ? 7 - at % 8 : at % 8;
    data[at / 8] |= static_cast<std::byte>(((element >> b) & 1U) << shift);
  }
}

core::TensorRef tensor_of(const std::string& value, ElementType type, const Shape& shape,
                          const std::string& input) {
  const auto fail = [&](const std::string& what) {
    return core::Failure(core::Exit::usage, "MO0308", text("the value of input '", input, "' ", what));
  };
  if (value.starts_with('[') != value.ends_with(']')) throw fail(text("has only one bracket: ", value));
  if (type == ElementType::unknown)
    throw fail("needs an element type").with("hint", text(input, "{f32}->", value));
  if (!can_be_typed(type)) throw fail(text("cannot be given as text: the type is ", name(type)));
  const auto read = elements_of(value);
  if (!read) throw fail(text("has a quote that is not closed: ", value));
  const std::vector<std::string>& elements = *read;

  std::vector<int64_t> dims;
  const auto count = static_cast<int64_t>(elements.size());
  if (shape.is_static()) {
    dims = shape.to_static();
    if (shape.elements() != Dim(count))
      throw fail(text("has ", count, count == 1 ? " element" : " elements", " but the shape is ", shape));
  } else {
    if (value.starts_with('[')) dims.push_back(count);
    if (!merge(shape, Shape(dims)))
      throw fail(text("does not fit the shape ", shape))
          .with("hint", "give the shape, too: name[1 3]->[1 2 3]");
  }

  if (type == ElementType::string)
    return core::make_tensor_from_bytes(ElementType::string, dims, pack_strings(elements));
  const core::TensorRef tensor = core::make_tensor(type, dims);
  for (size_t i = 0; i < elements.size(); ++i) {
    uint64_t element = 0;
    if (!parse_element(elements[i], type, element))
      throw fail(text("has '", elements[i], "', which is not a value of type ", name(type)));
    store(tensor->buffer.get(), type, i, element);
  }
  return tensor;
}

}  // namespace

core::FrozenValue frozen_value(std::string value) {
  return {value, [value](ElementType type, const Shape& shape, const std::string& input) {
            return tensor_of(value, type, shape, input);
          }};
}

}  // namespace mo::app
