// AttributeProto: found by name in a node's bytes, decoded when asked for.
#pragma once

#include "loader/model.hpp"

namespace mo::onnx {

std::string_view name_of_attribute(Bytes attribute_proto);
// The attribute of the enclosing function that this one stands for; empty: none.
std::string_view referenced_attribute(Bytes attribute_proto);
// The attribute `name` of a NodeProto; nothing when it has none.
std::optional<Bytes> find_attribute(Bytes node_proto, std::string_view name);
// The default that a FunctionProto gives its attribute `name`.
std::optional<Bytes> find_default(Bytes function_proto, std::string_view name);
// Gives the decoded value to the host.
void give_attribute(Context c, Files& files, Bytes attribute_proto, std::string_view name);
// The GraphProto that an attribute holds; empty: none.
Bytes graph_of_attribute(Bytes attribute_proto);
// The tensor that a node of type Constant holds, under whichever name.
Tensor read_constant(Context c, Files& files, Bytes node_proto, const Scope& scope);

}  // namespace mo::onnx
