#include "core/graph/parse_value.hpp"

#include <mo/error.hpp>

#include <algorithm>

#include "core/support/numbers.hpp"
#include "core/support/split.hpp"

namespace mo::core {

namespace {

constexpr std::string_view spaces = " \t\r\n";

std::string_view trimmed(std::string_view s) {
  const size_t first = s.find_first_not_of(spaces);
  return first == std::string_view::npos ? std::string_view()
                                         : s.substr(first, s.find_last_not_of(spaces) - first + 1);
}

std::string quoted(std::string_view s) { return text("'", s.substr(0, 80), s.size() > 80 ? "…" : "", "'"); }

[[noreturn]] void bad(std::string_view text, std::string_view expected) {
  fail(quoted(text), " is not ", expected);
}

int64_t integer(std::string_view s) {
  const auto n = parse_number<int64_t>(trimmed(s));
  if (!n) bad(s, "a whole number");
  return *n;
}

double real(std::string_view s) {
  const auto d = parse_number<double>(trimmed(s));
  if (!d) bad(s, "a number");
  return *d;
}

bool boolean(std::string_view s) {
  std::string t(trimmed(s));
  std::transform(t.begin(), t.end(), t.begin(), [](unsigned char c) { return std::tolower(c); });
  if (t == "true" || t == "1") return true;
  if (t == "false" || t == "0") return false;
  bad(s, "true or false");
}

ElementType element_type(std::string_view s) {
  const ElementType t = element_type_from_name(trimmed(s));
  if (t == ElementType::unknown && trimmed(s) != name(ElementType::unknown)) bad(s, "an element type");
  return t;
}

template <class Read>
auto list(std::string_view s, Read read) {
  std::vector<decltype(read(s))> items;
  if (trimmed(s).empty()) return items;
  each_part(s, ',', [&](std::string_view part) { items.push_back(read(part)); });
  return items;
}

constexpr const char* forms = "; a dimension is a number, '?', -1, or an interval like 1..8";

}  // namespace

Dim parse_dim(std::string_view text) {
  const std::string_view t = trimmed(text);
  if (t == "?" || t == "-1") return any_dim;
  if (const size_t dots = t.find(".."); dots != std::string_view::npos) {
    const std::string_view low = t.substr(0, dots), high = t.substr(dots + 2);
    const auto min = low.empty() ? 0 : parse_number<int64_t>(low);
    const bool open = high.empty() || high == "?";
    const auto max = open ? -1 : parse_number<int64_t>(high);
    if (!min || !max || *min < 0 || (low.empty() && high.empty()) || (!open && *max < 0))
      fail(quoted(t), " is not an interval", forms);
    if (!open && *max < *min) fail("the interval ", quoted(t), " is empty");
    return {*min, *max};
  }
  const auto v = parse_number<int64_t>(t);
  if (!v) fail(quoted(t), " is not a dimension", forms);
  if (*v < 0) fail("dimension ", quoted(t), " is negative", forms);
  return *v;
}

Shape parse_ir_shape(std::string_view text) {
  std::string_view s = trimmed(text);
  if (s.starts_with('[') && s.ends_with(']')) s = trimmed(s.substr(1, s.size() - 2));
  if (s == "...") return Shape::unknown();
  Shape shape;
  for (const Dim& d : list(s, parse_dim)) shape.push_back(d);
  return shape;
}

Attribute parse_value(int32_t kind, std::string_view text) {
  switch (kind) {
    case MO_VALUE_INT:
      return integer(text);
    case MO_VALUE_FLOAT:
      return real(text);
    case MO_VALUE_BOOL:
      return boolean(text);
    case MO_VALUE_STRING:
      return std::string(text);
    case MO_VALUE_TYPE:
      return element_type(text);
    case MO_VALUE_SHAPE:
      return shape_attribute(parse_ir_shape(text));
    case MO_VALUE_INTS:
      return list(text, integer);
    case MO_VALUE_FLOATS:
      return list(text, real);
    case MO_VALUE_BOOLS:
      return list(text, [](std::string_view s) { return static_cast<uint8_t>(boolean(s)); });
    case MO_VALUE_STRINGS:
      return list(text, [](std::string_view s) { return std::string(trimmed(s)); });
    case MO_VALUE_TYPES:
      return list(text, element_type);
    default:
      fail("its kind has no text in an IR");
  }
}

}  // namespace mo::core
