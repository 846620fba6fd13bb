#include <mo/half.hpp>

#include <charconv>
#include <cstring>
#include <limits>

#include "core/convert/cut.hpp"

namespace mo::core {

namespace {

// Elements of "[1 2, 3]", or the only one of "1".
std::vector<std::string> elements_of(const std::string& text) {
  std::string_view s = text;
  if (s.starts_with('[')) s = s.substr(1, s.size() - 2);
  std::vector<std::string> list;
  for (size_t i = 0; i < s.size();) {
    const size_t end = std::min(s.find_first_of(", \t", i), s.size());
    if (end != i) list.emplace_back(s.substr(i, end - i));
    i = end + 1;
  }
  return list;
}

template <class T>
bool parse_integer(const std::string& s, uint64_t& bits) {
  T v = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), v);
  bits = 0;
  std::memcpy(&bits, &v, sizeof v);
  return error == std::errc() && end == s.data() + s.size();
}

bool parse_boolean(const std::string& s, uint64_t& bits) {
  bits = s == "True" || s == "true" || s == "1" ? 1 : 0;
  return bits == 1 || s == "False" || s == "false" || s == "0";
}

bool parse_real(const std::string& s, ElementType type, uint64_t& bits) {
  double v = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), v);
  if (error != std::errc() || end != s.data() + s.size()) return false;
  const auto f = static_cast<float>(v);
  bits = 0;
  if (type == ElementType::f64) std::memcpy(&bits, &v, sizeof v);
  if (type == ElementType::f32) std::memcpy(&bits, &f, sizeof f);
  if (type == ElementType::f16) bits = float_to_half(f);
  if (type == ElementType::bf16) bits = float_to_bfloat(f);
  return true;
}

// The bits of one element, little-endian; false when the text is no such number.
bool parse_element(const std::string& s, ElementType type, uint64_t& bits) {
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
         t == ElementType::f32 || t == ElementType::f64 || (is_integer(t) && bits(t) >= 8);
}

}  // namespace

TensorRef parse_frozen(const std::string& value, ElementType type, const Shape& shape,
                       const std::string& input) {
  const auto fail = [&](const std::string& what) {
    return Failure(Exit::usage, "MO0308", text("--input: the value of '", input, "' ", what));
  };
  if (value.starts_with('[') != value.ends_with(']')) throw fail(text("has only one bracket: ", value));
  if (type == ElementType::unknown)
    throw fail("needs an element type").with("hint", text(input, "{f32}->", value));
  if (!can_be_typed(type)) throw fail(text("cannot be given as text: the type is ", name(type)));
  const std::vector<std::string> elements = elements_of(value);

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

  const TensorRef tensor = make_tensor(type, dims);
  const size_t width = static_cast<size_t>(bits(type)) / 8;
  for (size_t i = 0; i < elements.size(); ++i) {
    uint64_t element = 0;
    if (!parse_element(elements[i], type, element))
      throw fail(text("has '", elements[i], "', which is no ", name(type)));
    std::memcpy(tensor->buffer.get() + i * width, &element, width);
  }
  return tensor;
}

}  // namespace mo::core
