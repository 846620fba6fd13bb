// Element types of values as ONNX's own rules give them, before any operation is known.
#pragma once

#include "loader/model.hpp"

namespace mo::onnx {

// Where the element type of an operator's output comes from.
struct TypeRule {
  enum Source { input, fixed, attribute, unknown } source = input;
  uint32_t from_input = 0;                  // input
  ElementType type = ElementType::unknown;  // fixed; also the default of an attribute
  std::string_view name = {};               // attribute: an int of TensorProto.DataType, or a tensor
};
TypeRule type_rule(const NodeMessage& node, uint32_t output);
// The element type that attribute `name` of a NodeProto names or holds.
ValueType type_of_attribute(Bytes node_proto, const Scope& scope, std::string_view name,
                            ElementType fallback);
// Whether an operator takes values as they are, or converts them.
bool may_read_held_types(const NodeMessage& node);

}  // namespace mo::onnx
