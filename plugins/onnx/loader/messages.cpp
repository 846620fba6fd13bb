#include "loader/messages.hpp"

namespace mo::onnx {

std::string_view plain_domain(std::string_view domain) {
  return domain == "ai.onnx" ? std::string_view{} : domain;
}

OpsetImport parse_opset(Bytes bytes) {
  OpsetImport o;
  for (const wire::Field& f : wire::Message(bytes)) {
    if (f.number == field::opset::domain) o.domain = plain_domain(f.bytes());
    if (f.number == field::opset::version) o.version = f.signed_integer();
  }
  return o;
}

ModelMessage parse_model(Bytes bytes) {
  ModelMessage m;
  for (const wire::Field& f : wire::Message(bytes)) {
    switch (f.number) {
      case field::model::ir_version:
        m.ir_version = f.signed_integer();
        break;
      case field::model::producer_name:
        m.producer = f.bytes();
        break;
      case field::model::graph:
        m.graphs.push_back(f.bytes());
        break;
      case field::model::opset_import:
        m.opsets.push_back(parse_opset(f.bytes()));
        break;
      case field::model::functions:
        m.functions.push_back(f.bytes());
        break;
      default:
        break;
    }
  }
  return m;
}

void parse_node(Bytes bytes, NodeMessage& n) {
  n.name = n.domain = n.op = n.overload = {};
  n.bytes = bytes;
  n.inputs.clear();
  n.outputs.clear();
  for (const wire::Field& f : wire::Message(bytes)) {
    switch (f.number) {
      case field::node::input:
        n.inputs.push_back(f.bytes());
        break;
      case field::node::output:
        n.outputs.push_back(f.bytes());
        break;
      case field::node::name:
        n.name = f.bytes();
        break;
      case field::node::op_type:
        n.op = f.bytes();
        break;
      case field::node::domain:
        n.domain = plain_domain(f.bytes());
        break;
      case field::node::overload:
        n.overload = f.bytes();
        break;
      default:
        break;
    }
  }
  while (!n.inputs.empty() && n.inputs.back().empty()) n.inputs.pop_back();
}

std::string_view name_of_node(const NodeMessage& n) {
  if (!n.name.empty()) return n.name;
  for (const std::string_view o : n.outputs)
    if (!o.empty()) return o;
  return {};
}

static ValueInfo parse_value_info(Bytes bytes) {
  ValueInfo v;
  for (const wire::Field& f : wire::Message(bytes)) {
    if (f.number == field::value_info::name) v.name = f.bytes();
    if (f.number == field::value_info::type) v.type = f.bytes();
  }
  return v;
}

GraphMessage parse_graph(Bytes bytes, const std::function<void(Bytes)>& passed) {
  GraphMessage g;
  for (const wire::Field& f : wire::Message(bytes)) {
    switch (f.number) {
      case field::graph::node:
        ++g.nodes;
        break;
      case field::graph::name:
        g.name = f.bytes();
        break;
      case field::graph::initializer:
        g.initializers.push_back(f.bytes());
        passed(f.bytes());
        break;
      case field::graph::sparse_initializer:
        g.sparse_initializers.push_back(f.bytes());
        break;
      case field::graph::input:
        g.inputs.push_back(parse_value_info(f.bytes()));
        break;
      case field::graph::output:
        g.outputs.push_back(parse_value_info(f.bytes()));
        break;
      default:
        break;
    }
  }
  return g;
}

static Dim parse_dim(Bytes bytes, std::string_view& name) {
  Dim d;
  for (const wire::Field& f : wire::Message(bytes)) {
    if (f.number == field::type::dim_param) name = f.bytes();
    // Exporters write -1 for what is open.
    if (f.number == field::type::dim_value) d = f.signed_integer() < 0 ? any_dim : Dim(f.signed_integer());
  }
  return d;
}

static void parse_shape(Bytes bytes, TensorType& t) {
  t.shape = Shape();
  bool named = false;
  for (const wire::Field& f : wire::Message(bytes)) {
    if (f.number != field::type::shape_dim) continue;
    std::string_view name;
    t.shape.push_back(parse_dim(f.bytes(), name));
    t.dim_names.emplace_back(name);
    named = named || !name.empty();
  }
  if (!named) t.dim_names.clear();
}

bool is_sequence_type(Bytes bytes) {
  for (const wire::Field& f : wire::Message(bytes))
    if (f.number == field::type::sequence) return true;
  return false;
}

TensorType parse_tensor_type(Bytes bytes, int depth) {
  require(depth < 8, "its type is nested deeper than 8 levels");
  TensorType t;
  bool found = false;
  for (const wire::Field& f : wire::Message(bytes)) {
    if (f.number == field::type::sequence) fail("it is a sequence of tensors, which the IR does not have");
    if (f.number == field::type::map) fail("it is a map, which the IR does not have");
    if (f.number == field::type::sparse_tensor) fail("it is a sparse tensor, which the IR does not have");
    // An optional tensor that is fed is there.
    if (f.number == field::type::optional)
      for (const wire::Field& part : wire::Message(f.bytes()))
        if (part.number == field::type::optional_elem_type) return parse_tensor_type(part.bytes(), depth + 1);
    if (f.number == field::type::optional) fail("it is an optional value of no known type");
    if (f.number != field::type::tensor) continue;
    found = true;
    for (const wire::Field& part : wire::Message(f.bytes())) {
      if (part.number == field::type::tensor_elem_type) {
        t.type = value_type_of_onnx(part.signed_integer());
        if (t.type.type == ElementType::unknown)
          fail("its element type is ", data_type_name(part.signed_integer()), " (", part.signed_integer(),
               "), which the IR does not have");
      }
      if (part.number == field::type::tensor_shape) parse_shape(part.bytes(), t);
    }
  }
  require(found && t.type.type != ElementType::unknown, "the file does not say what type it has");
  return t;
}

}  // namespace mo::onnx
