// The messages of an ONNX file as views of its bytes: one walk over each, nothing copied.
#pragma once

#include "loader/schema.hpp"

#include <functional>
#include <mo/sdk.hpp>
#include <mo/wire.hpp>

namespace mo::onnx {

using Bytes = std::string_view;

struct OpsetImport {
  std::string_view domain;  // "ai.onnx" is written as ""
  int64_t version = 0;
};

struct ModelMessage {
  int64_t ir_version = 0;
  std::string_view producer;
  std::vector<OpsetImport> opsets;
  std::vector<Bytes> graphs;  // one; damaged files may have none, or several
  std::vector<Bytes> functions;
};

// A NodeProto. "" is an omitted input or output; at the end of the inputs those are dropped.
struct NodeMessage {
  std::string_view name, domain, op, overload;
  Bytes bytes;
  std::vector<std::string_view> inputs, outputs;
};

struct ValueInfo {
  std::string_view name;
  Bytes type;
};

// A GraphProto without its nodes, which are read one by one.
struct GraphMessage {
  std::string_view name;
  size_t nodes = 0;
  std::vector<Bytes> initializers, sparse_initializers;
  std::vector<ValueInfo> inputs, outputs;
};

ModelMessage parse_model(Bytes);
OpsetImport parse_opset(Bytes);
// `passed` is told of each initializer.
GraphMessage parse_graph(Bytes, const std::function<void(Bytes)>& passed);
// Into a message that was used before, or not.
void parse_node(Bytes, NodeMessage&);

// Its own name, or that of its first output.
std::string_view name_of_node(const NodeMessage& node);

// The domain as messages and extractors spell it: "" for "ai.onnx".
std::string_view plain_domain(std::string_view domain);

// What a ValueInfoProto says about a tensor.
struct TensorType {
  ValueType type;
  Shape shape = Shape::unknown();
  std::vector<std::string> dim_names;  // "" where a dimension has no name; empty without any name
};
// Errors: sequences, maps; types the IR does not have.
bool is_sequence_type(Bytes type_proto);
TensorType parse_tensor_type(Bytes, int depth = 0);

}  // namespace mo::onnx
