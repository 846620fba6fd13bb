// Resource variables: VAR_HANDLE names one, READ_VARIABLE and ASSIGN_VARIABLE follow in the order of the
// file.
#include "loader/graph_reader.hpp"

#include <algorithm>

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
          "its input is not a variable that VAR_HANDLE names");
  return handles_[static_cast<size_t>(tensor)];
}

// Variables start as zero.
OutPort GraphReader::first_state(const std::string& name, const TensorInfo& t) {
  Variables::Variable& v = variables_.get(name);
  v.type = t.real_type();
  v.shape = t.shape;
  require(t.shape.is_static(), "it is a variable of shape ", t.shape, ", expected fixed dimensions");
  const Tensor zeros = Tensor::create_bytes(c_, v.type, t.shape.to_static()).first;
  v.first = graph_.create_const(name + "/first", zeros).out_port();
  v.is_read = true;
  v.current = read_variable(graph_, name, v.first, v.type, v.shape);
  return v.current;
}

OutPort GraphReader::current_value(const std::string& variable) {
  Variables::Variable& v = variables_.get(variable);
  if (v.current) return v.current;
  require(static_cast<bool>(v.first), "variable '", variable,
          "' is read, but nothing gives it a first value");
  v.is_read = true;
  v.current = read_variable(graph_, variable, v.first, v.type, v.shape);
  return v.current;
}

static std::string variable_name(const Operator& op) {
  const auto* options = options_as<format::VarHandleOptions>(op);
  const std::string_view container = options == nullptr ? "" : text_of(options->container());
  const std::string_view name = options == nullptr ? "" : text_of(options->shared_name());
  return text(container, container.empty() ? "" : "/", name.empty() ? "variable" : name);
}

static void add_once(std::vector<std::string>& list, std::string name) {
  if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(std::move(name));
}

void GraphReader::find_variables(int64_t sub_graph, const std::string& prefix,
                                 std::vector<std::string>& found, std::vector<int64_t>& seen) {
  if (std::find(seen.begin(), seen.end(), sub_graph) != seen.end()) return;
  seen.push_back(sub_graph);
  const SubGraph& g = model_.sub_graph(sub_graph);
  for (const TensorInfo& t : g.tensors) {
    if (!t.is_variable || prefix.empty() || t.name.empty()) continue;
    const std::string name = text(prefix, t.name);
    const bool known = variables_.has(name) && variables_.get(name).current;
    if (!known && !is_body()) first_state(name, t);
    if (known || !is_body()) add_once(found, name);
  }
  for (const Operator& op : g.operators) {
    if (op.code->is_custom) continue;
    if (op.code->op == "VAR_HANDLE") add_once(found, variable_name(op));
    const Options* options = options_of(op.code->op);
    if (options == nullptr || op.options == nullptr) continue;
    for (const Field* f : options->fields)
      if (text_of(f->name()).ends_with("subgraph_index"))
        find_variables(integer_of(op.options, *f), {}, found, seen);
    if (op.code->op == "STABLEHLO_CASE")
      for (const auto branch :
           list_of<int64_t>(options_as<format::StablehloCaseOptions>(op)->branch_subgraph_indices()))
        find_variables(branch, {}, found, seen);
  }
}

std::vector<std::string> GraphReader::carried_by(const std::vector<int64_t>& sub_graphs,
                                                 const std::vector<std::string>& prefixes,
                                                 const std::vector<Argument>& arguments) {
  std::vector<std::string> found;
  std::vector<int64_t> seen;
  for (const Argument& a : arguments)
    if (!a.variable.empty()) add_once(found, a.variable);
  for (size_t i = 0; i < sub_graphs.size(); ++i) find_variables(sub_graphs[i], prefixes[i], found, seen);
  return found;
}

bool GraphReader::add_resource(const Operator& op) {
  const std::string_view type = op.code->op;
  if (op.code->is_custom || (type != "VAR_HANDLE" && type != "READ_VARIABLE" && type != "ASSIGN_VARIABLE"))
    return false;
  if (type == "VAR_HANDLE") {
    require(op.outputs.size() == 1 && op.outputs[0] >= 0, "it has no output");
    handles_[static_cast<size_t>(op.outputs[0])] = variable_name(op);
    return true;
  }
  require(!op.inputs.empty(), "it has no inputs");
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
    v.type = t.real_type();
    v.shape = t.shape.has_rank() ? t.shape : v.shape;
  }
  define(op.outputs[0], current_value(name));
  return true;
}

}  // namespace mo::tflite
