// Attributes of a node, read by their kind.
#include "loader/model.hpp"

namespace mo::tensorflow {

static std::string_view kind_of(AttrValue::Kind kind) {
  static constexpr std::array<std::string_view, 9> names{"empty",    "a string",  "an integer",
                                                         "a number", "a boolean", "a type",
                                                         "a shape",  "a tensor",  "a function"};
  return names[static_cast<size_t>(kind)];
}

std::optional<AttrValue> Attributes::find(std::string_view name) const {
  const auto found = m_.attribute(node_, name, scope_);
  if (!found) return std::nullopt;
  return parse_attr_value(*found);
}

// Empty lists have no kind.
AttrValue Attributes::get(std::string_view name, AttrValue::Kind kind) const {
  AttrValue a = find(name).value_or(AttrValue{});
  const bool number = kind == AttrValue::integer && a.kind == AttrValue::boolean;
  require(a.kind == AttrValue::none || a.kind == kind || number, "attribute '", name, "' is ",
          kind_of(a.kind), ", expected ", kind_of(kind));
  return a;
}

int64_t Attributes::integer(std::string_view name, int64_t fallback) const {
  const AttrValue a = get(name, AttrValue::integer);
  return a.integers.empty() ? fallback : a.integers.back();
}

std::string_view Attributes::text(std::string_view name, std::string_view fallback) const {
  const AttrValue a = get(name, AttrValue::text);
  return a.messages.empty() ? fallback : a.messages.back();
}

DataType Attributes::type(std::string_view name, DataType fallback) const {
  const AttrValue a = get(name, AttrValue::type);
  return a.integers.empty() ? fallback : data_type(static_cast<uint64_t>(a.integers.back()));
}

std::vector<DataType> Attributes::types(std::string_view name) const {
  std::vector<DataType> types;
  for (const int64_t t : get(name, AttrValue::type).integers)
    types.push_back(data_type(static_cast<uint64_t>(t)));
  return types;
}

std::optional<Shape> Attributes::shape(std::string_view name) const {
  const AttrValue a = get(name, AttrValue::shape);
  if (a.messages.empty()) return std::nullopt;
  return parse_shape(a.messages.back());
}

std::vector<Shape> Attributes::shapes(std::string_view name) const {
  std::vector<Shape> shapes;
  for (const Bytes b : get(name, AttrValue::shape).messages) shapes.push_back(parse_shape(b));
  return shapes;
}

FunctionValue Attributes::function(std::string_view name) const {
  const AttrValue a = get(name, AttrValue::function);
  return a.messages.empty() ? FunctionValue{} : parse_function_value(a.messages.back());
}

std::vector<FunctionValue> Attributes::functions(std::string_view name) const {
  std::vector<FunctionValue> all;
  for (const Bytes b : get(name, AttrValue::function).messages) all.push_back(parse_function_value(b));
  return all;
}

}  // namespace mo::tensorflow
