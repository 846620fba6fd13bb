// Bodies of If, Loop and Scan: graphs of their own that see the values of the graphs around them. What a body
// reads from outside becomes an input of the node behind its own ones; constants come in as they are.
#include "loader/attributes.hpp"
#include "loader/graph_reader.hpp"

#include <mo/port_map.hpp>

namespace mo::onnx {

void GraphReader::read_bodies() {
  bodies_.clear();
  if (!node_.domain.empty()) return;
  const bool repeats = node_.op == "Loop" || node_.op == "Scan";
  if (node_.op != "If" && !repeats) return;
  // Inputs of Loop that are left out at the end still have their ports.
  if (node_.op == "Loop" && node_.inputs.size() < 2) node_.inputs.resize(2);
  const auto own_inputs = static_cast<uint32_t>(node_.inputs.size());
  if (repeats) {
    read_body("body", "", own_inputs);
  } else {
    read_body("then_branch", "then_", own_inputs);
    read_body("else_branch", "else_", own_inputs);
  }
}

void GraphReader::read_body(std::string_view attribute, std::string_view prefix, uint32_t own_inputs) {
  const auto found = find_attribute(node_.bytes, attribute);
  const Bytes proto = found ? graph_of_attribute(*found) : Bytes{};
  require(!found || referenced_attribute(*found).empty(), "attribute '", attribute,
          "' is a graph that the call of the function gives, which is not supported");
  require(!proto.empty(), "attribute '", attribute, "' is missing or holds no graph");
  require(body_depth_ < 32, "attribute '", attribute, "': bodies are nested deeper than 32 levels");
  Body body{prefix, graph_.create_sub_graph(text(prefix, "body")), {}, {}};
  GraphReader reader(c_, model_, scope_, body.graph, this);
  reader.body_depth_ = body_depth_ + 1;
  try {
    reader.read(proto);
  } catch (const Error& e) {
    throw Error(text("attribute '", attribute, "': ", e.what()), e.status(), e.where());
  }
  const size_t own_parameters = body.graph.parameters().size() - reader.captured_.size();
  for (size_t i = 0; i < reader.captured_.size(); ++i) {
    const auto first = node_.inputs.begin() + own_inputs;
    auto at = std::find(first, node_.inputs.end(), reader.captured_[i]);
    if (at == node_.inputs.end()) at = node_.inputs.insert(at, reader.captured_[i]);
    append_text(body.port_map.emplace_back(),
                input_entry(at - node_.inputs.begin(), static_cast<int64_t>(own_parameters + i)));
  }
  for (const ValueInfo& v : reader.message_.outputs) body.outputs.push_back(reader.value(v.name).type);
  bodies_.push_back(std::move(body));
}

void GraphReader::give_bodies(const Node& node) const {
  for (const Body& b : bodies_) {
    node.set(text(b.prefix, "body"), GraphHandle{b.graph.id()});
    node.set(text(b.prefix, "port_map"), b.port_map);
  }
}

// Result 0 of a Loop's body is its condition.
ValueType GraphReader::type_from_bodies(uint32_t output) const {
  const size_t result = output + (node_.op == "Loop" ? 1U : 0U);
  const auto& outputs = bodies_.front().outputs;
  return result < outputs.size() ? outputs[result] : ValueType();
}

const GraphReader::Value* GraphReader::capture(std::string_view name, bool at_end) {
  if (around_ != nullptr) {
    const Value* v = around_->find(name);
    if (v == nullptr) return nullptr;
    define(name, {v->node, v->port, MO_PORT_OUT}, v->type, none);
    return &value(name);
  }
  if (outer_ == nullptr) return nullptr;
  const Value* source = outer_->find(name);
  if (source == nullptr && !at_end) return nullptr;
  const ValueType type = source == nullptr ? ValueType() : source->type;
  if (source != nullptr && source->node == 0) {
    define_absent(name);
    return &value(name);
  }
  std::optional<Tensor> constant;
  if (source != nullptr) constant = OutPort(c_, source->node, source->port).value();
  if (constant) {
    define(name, make_const(name, {}, *constant).out_port().abi(), {constant->type(), type.held}, none);
    return &value(name);
  }
  mo_node_init init{};
  init.op = str("Parameter");
  init.opset = str("opset1");
  init.name = str(name);
  init.n_outputs = 1;
  const Node parameter = graph_.create_node(init);
  if (type.type != ElementType::unknown) parameter.set("element_type", type.type);
  parameter.out_port().set_shape(type.type, Shape::unknown());
  define(name, parameter.out_port().abi(), type, none);
  captured_.push_back(name);
  return &value(name);
}

}  // namespace mo::onnx
