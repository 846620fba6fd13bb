// FlexAttention with a graph that changes its scores, or its weights: the nodes of the graphs between three
// parts of the operator (front/standard_attention.cpp), as a function's are where it is called.
#include "loader/attributes.hpp"
#include "loader/graph_reader.hpp"
#include "loader/value_types.hpp"

namespace mo::onnx {

bool GraphReader::add_modified_attention() {
  if (node_.domain != "ai.onnx.preview" || node_.op != "FlexAttention" || node_.outputs.size() != 1)
    return false;
  const auto score_mod = find_attribute(node_.bytes, "score_mod"),
             prob_mod = find_attribute(node_.bytes, "prob_mod");
  if (!score_mod && !prob_mod) return false;
  require(node_.inputs.size() == 3, "it has ", node_.inputs.size(), " inputs, expected query, key and value");
  std::vector<mo_port> inputs;
  for (const std::string_view name : node_.inputs) {
    const Value* v = find(name);
    require(v != nullptr && v->node != 0, "it reads value '", name, "', which nothing before it defines");
    inputs.push_back({v->node, v->port, MO_PORT_OUT});
    if (inputs.size() == 1) types_.assign(1, v->type);
  }
  check_held_types();
  const ElementType type = types_[0].type == ElementType::f64 ? ElementType::f64 : ElementType::f32;
  const ValueType precise = type_of_attribute(node_.bytes, scope_, "softmax_precision", type);
  const auto part = [&](std::string_view what, const std::vector<mo_port>& from, std::string_view value,
                        const ValueType& t) {
    const std::string op = text("ai.onnx.preview.FlexAttention", what);
    std::string name = name_in_graph(name_of_node(node_));
    if (value.empty()) name += text('/', what);
    const mo_str output = str(value);
    mo_node_init init{};
    init.op = str(op);
    init.name = str(name);
    init.inputs = from.data();
    init.n_inputs = static_cast<uint32_t>(from.size());
    init.n_outputs = 1;
    if (!value.empty()) init.output_names = &output;
    init.native = model_.add_node(node_, scope_);
    const Node n = graph_.create_node(init);
    if (t.type != ElementType::unknown) n.out_port().set_shape(t.type, Shape::unknown());
    return mo_port{n.id(), 0, MO_PORT_OUT};
  };
  const auto changed = [&](const std::optional<Bytes>& graph, std::string_view attribute, mo_port port) {
    return graph ? add_graph(*graph, attribute, port, precise) : port;
  };
  const mo_port scores = changed(score_mod, "score_mod", part("Scores", inputs, {}, precise));
  const mo_port weights = changed(prob_mod, "prob_mod", part("Weights", {scores}, {}, precise));
  inputs.push_back(weights);
  const mo_port y = part("Values", inputs, value_in_graph(node_.outputs[0]), types_[0]);
  define(node_.outputs[0], y, types_[0], node_number_);
  return true;
}

mo_port GraphReader::add_graph(Bytes attribute_proto, std::string_view attribute, mo_port given,
                               const ValueType& type) {
  require(referenced_attribute(attribute_proto).empty(), "attribute '", attribute,
          "' is a graph that the call of the function gives, which is not supported");
  require(body_depth_ < 32, "attribute '", attribute, "': graphs are nested deeper than 32 levels");
  const Bytes proto = graph_of_attribute(attribute_proto);
  Call call;
  call.prefix = text(name_in_graph(name_of_node(node_)), '/', attribute, '/');
  model_.charge(call.prefix.size() + proto.size());
  GraphReader reader(c_, model_, scope_, graph_);
  reader.call_ = &call;
  reader.around_ = this;
  reader.body_depth_ = body_depth_ + 1;
  try {
    reader.message_ = parse_graph(proto, [this](Bytes b) { model_.files().passed(c_, b); });
    const auto& [inputs, outputs] = std::tie(reader.message_.inputs, reader.message_.outputs);
    require(inputs.size() == 1 && outputs.size() == 1, "the graph has ", inputs.size(), " inputs and ",
            outputs.size(), " outputs, expected one of each");
    reader.add_initializers();
    reader.define(inputs[0].name, given, type, none);
    reader.read_nodes(proto, field::graph::node);
    const Value* result = reader.find(outputs[0].name);
    require(result != nullptr && result->node != 0, "nothing defines its output '", outputs[0].name, "'");
    return {result->node, result->port, MO_PORT_OUT};
  } catch (const Error& e) {
    throw Error(text("attribute '", attribute, "': ", e.what()), e.status(), e.where());
  }
}

}  // namespace mo::onnx
