// Resource variables: VAR_HANDLE names one, READ_VARIABLE and ASSIGN_VARIABLE follow in the order of the
// file.
#include "loader/graph_reader.hpp"

namespace mo::tflite {

OutPort read_variable(const Graph& g, const std::string& name, const OutPort& first, ElementType type,
                      const Shape& shape) {
  const Node n = g.create_node("ReadValue", "opset6", text(name, "/ReadValue"), {first});
  n.set("variable_id", name).set("variable_type", type).set("variable_shape", shape);
  n.out_port().set_shape(type, shape);
  return n.out_port();
}

void assign_variable(const Graph& g, const std::string& name, const OutPort& value, ElementType type,
                     const Shape& shape) {
  const Node n = g.create_node("Assign", "opset6", text(name, "/Assign"), {value});
  n.set("variable_id", name);
  n.out_port().set_shape(type, shape);
}

const std::string& GraphReader::variable_of(int32_t tensor) const {
  require(tensor >= 0 && !handles_[static_cast<size_t>(tensor)].empty(),
          "its input is no variable that VAR_HANDLE ", "names");
  return handles_[static_cast<size_t>(tensor)];
}

bool GraphReader::add_resource(const Operator& op) {
  const std::string_view type = op.code->op;
  if (op.code->is_custom || (type != "VAR_HANDLE" && type != "READ_VARIABLE" && type != "ASSIGN_VARIABLE"))
    return false;
  if (type == "VAR_HANDLE") {
    require(op.outputs.size() == 1 && op.outputs[0] >= 0, "it has no output");
    const std::string_view container = op.options == nullptr ? "" : text_of(op.options, 0);
    const std::string_view name = op.options == nullptr ? "" : text_of(op.options, 1);
    handles_[static_cast<size_t>(op.outputs[0])] =
        text(container, container.empty() ? "" : "/", name.empty() ? "variable" : name);
    return true;
  }
  require(!op.inputs.empty(), "it has no inputs");
  require(!is_body(), "it uses a variable inside of a body, which the IR cannot do");
  const std::string name = variable_of(op.inputs[0]);
  Variables::Variable& v = variables_.get(name);
  if (type == "ASSIGN_VARIABLE") {
    require(op.inputs.size() == 2 && op.inputs[1] >= 0, "it has ", op.inputs.size(), " inputs, expected 2");
    const TensorInfo& t = info(op.inputs[1]);
    v.type = t.real_type();
    v.shape = t.shape;
    if (variables_.initializing) {
      v.first = value(op.inputs[1]);
    } else {
      v.current = value(op.inputs[1]);
      v.is_assigned = true;
    }
    return true;
  }
  require(op.outputs.size() == 1 && op.outputs[0] >= 0, "it has no output");
  const TensorInfo& t = info(op.outputs[0]);
  if (!v.current) {
    require(static_cast<bool>(v.first), "variable '", name, "' is read, but nothing gives it a first value");
    v.type = t.real_type();
    v.shape = t.shape.has_rank() ? t.shape : v.shape;
    v.is_read = true;
    v.current = read_variable(graph_, name, v.first, v.type, v.shape);
  }
  define(op.outputs[0], v.current);
  return true;
}

}  // namespace mo::tflite
