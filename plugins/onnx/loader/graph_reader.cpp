#include "loader/graph_reader.hpp"

#include "loader/attributes.hpp"
#include "loader/value_types.hpp"

namespace mo::onnx {

// Runs f and says of what an error speaks.
template <class What, class F>
static void speaking_of(What what, F f) {
  try {
    f();
  } catch (const Error& e) {
    throw Error(text(what(), ": ", e.what()), e.status(), e.where());
  }
}

static std::string_view name_of_node(const NodeMessage& n, std::span<const std::string_view> outputs) {
  if (!n.name.empty()) return n.name;
  for (const std::string_view o : outputs)
    if (!o.empty()) return o;
  return {};
}

std::string GraphReader::describe(const NodeMessage& n) const {
  return text("node '", name_of_node(n, message_.outputs_of(n)), "' (", n.domain, n.domain.empty() ? "" : ".",
              n.op, ')');
}

void GraphReader::read(Bytes graph_proto) {
  message_ = parse_graph(graph_proto);
  numbers_.reserve(message_.nodes.size() + message_.initializers.size() + message_.inputs.size());
  add_initializers();
  for (const NodeMessage& n : message_.nodes)
    if (const auto known = numbers_.find(n.name); known != numbers_.end())
      values_[known->second].names_node = true;
  add_parameters();
  number_of_.reserve(message_.names.size());
  for (const std::string_view name : message_.names) number_of_.push_back(number(name));
  for (uint32_t i = 0; i < message_.nodes.size(); ++i) add_node(i);
  connect_pending();
  add_results();
}

void GraphReader::add_initializers() {
  const auto add = [this](std::string_view name, Bytes bytes, bool sparse) {
    require(!name.empty(), "an initializer has no name");
    Value& v = values_[number(name)];
    require(!v.defined, "initializer '", name, "' is there twice");
    v.defined = true;
    v.initializer = bytes;
    v.sparse = sparse;
  };
  for (const Bytes b : message_.initializers) add(name_of_tensor(b), b, false);
  for (const Bytes b : message_.sparse_initializers) add(name_of_sparse_tensor(b), b, true);
}

void GraphReader::add_parameters() {
  for (const ValueInfo& v : message_.inputs) {
    require(!v.name.empty(), "an input of the graph has no name");
    const Value& known = values_[number(v.name)];
    // An initializer that is also an input is its default: a constant for us.
    if (!known.initializer.empty()) continue;
    require(!known.defined, "input '", v.name, "' of the graph is there twice");
    speaking_of([&] { return text("input '", v.name, "' of the graph"); }, [&] { add_parameter(v); });
  }
}

void GraphReader::add_parameter(const ValueInfo& v) {
  const TensorType t = parse_tensor_type(v.type);
  mo_node_init init{};
  const mo_str value_name = str(v.name);
  init.op = str("Parameter");
  init.opset = str("opset1");
  init.name = value_name;
  init.n_outputs = 1;
  init.output_names = &value_name;
  const Node n = graph_.create_node(init);
  n.set("element_type", t.type).set("shape", t.shape);
  if (!t.dim_names.empty()) n.set("dim_names", t.dim_names);
  n.out_port().set_shape(t.type, t.shape);
  define(v.name, number(v.name), n.out_port().abi(), t.type, 0);
}

uint32_t GraphReader::number(std::string_view name) {
  const auto [at, is_new] = numbers_.emplace(name, static_cast<uint32_t>(values_.size()));
  if (is_new) values_.emplace_back();
  return at->second;
}

void GraphReader::define(std::string_view name, uint32_t number, mo_port port, ElementType type,
                         uint32_t node_index) {
  Value& v = values_[number];
  if (v.defined) {
    const std::string by = v.definer != 0          ? describe(message_.nodes[v.definer - 1])
                           : v.initializer.empty() ? std::string("an input of the graph")
                                                   : std::string("an initializer");
    fail("value '", name, "' is already defined by ", by);
  }
  v.defined = true;
  v.port = port;
  v.type = type;
  v.definer = node_index;
}

const GraphReader::Value* GraphReader::find(std::string_view name, uint32_t number) {
  Value& v = values_[number];
  if (!v.defined) return nullptr;
  if (v.port.node == 0) make_initializer(name, v);
  return &v;
}

ElementType GraphReader::type_of_output(const NodeMessage& n, uint32_t output) {
  const TypeRule rule = type_rule(n, output);
  if (rule.source == TypeRule::fixed) return rule.type;
  if (rule.source == TypeRule::attribute) return type_of_attribute(n.bytes, rule.name, rule.type);
  if (rule.source != TypeRule::input || rule.from_input >= message_.inputs_of(n).size())
    return ElementType::unknown;
  return values_[number_of_[n.inputs + rule.from_input]].type;
}

Node GraphReader::make_const(std::string_view node_name, std::string_view value, const Tensor& tensor) {
  const Node n = graph_.create_const(node_name, tensor);
  const mo_str value_name = str(value);
  if (!value.empty()) c_.check(c_.graph().set_tensor_names(c_.get(), n.out_port().abi(), &value_name, 1));
  return n;
}

void GraphReader::make_initializer(std::string_view name, Value& v) {
  speaking_of([&] { return text("initializer '", name, "'"); },
              [&] {
                const Tensor t = v.sparse ? read_sparse_tensor(c_, model_.files(), v.initializer)
                                          : read_tensor(c_, model_.files(), v.initializer);
                // Users know operations by name; a constant gives way.
                const std::string other = v.names_node ? text(name, "/const") : std::string();
                v.port = make_const(v.names_node ? other : name, name, t).out_port().abi();
                v.type = t.type();
              });
}

void GraphReader::add_constant(uint32_t index) {
  const NodeMessage& n = message_.nodes[index];
  const auto outputs = message_.outputs_of(n);
  if (outputs.empty()) return;
  const Tensor value = read_constant(c_, model_.files(), n.bytes);
  const Node node = make_const(name_of_node(n, outputs), outputs[0], value);
  define(outputs[0], number_of_[n.outputs], node.out_port().abi(), value.type(), index + 1);
}

void GraphReader::add_node(uint32_t index) {
  const NodeMessage& n = message_.nodes[index];
  speaking_of([&] { return describe(n); },
              [&] {
                require(!n.op.empty(), "it has no op_type");
                if (n.op == "Constant" && n.domain.empty()) return add_constant(index);
                const auto inputs = message_.inputs_of(n), outputs = message_.outputs_of(n);
                std::vector<mo_port> sources;
                std::vector<Pending> later;
                sources.reserve(inputs.size());
                for (uint32_t i = 0; i < inputs.size(); ++i) {
                  const Value* v = inputs[i].empty() ? nullptr : find(inputs[i], number_of_[n.inputs + i]);
                  if (v == nullptr && !inputs[i].empty())
                    later.push_back({{0, i, MO_PORT_IN}, n.inputs + i, index});
                  sources.push_back(v == nullptr ? mo_port{} : v->port);
                }
                std::vector<mo_str> names;
                names.reserve(outputs.size());
                for (const std::string_view o : outputs) names.push_back(str(o));

                const std::string full_op = n.domain.empty() ? std::string() : text(n.domain, '.', n.op);
                mo_node_init init{};
                init.op = str(n.domain.empty() ? n.op : std::string_view(full_op));
                init.name = str(name_of_node(n, outputs));
                init.inputs = sources.data();
                init.n_inputs = static_cast<uint32_t>(sources.size());
                init.n_outputs = static_cast<uint32_t>(names.size());
                init.output_names = names.data();
                init.native = model_.add_node(n, scope_);
                const Node node = graph_.create_node(init);
                for (uint32_t i = 0; i < outputs.size(); ++i) {
                  if (outputs[i].empty()) continue;
                  const ElementType type = type_of_output(n, i);
                  const OutPort port(c_, node.id(), i);
                  if (type != ElementType::unknown) port.set_shape(type, Shape::unknown());
                  define(outputs[i], number_of_[n.outputs + i], port.abi(), type, index + 1);
                }
                for (Pending& p : later) {
                  p.in.node = node.id();
                  pending_.push_back(p);
                }
              });
}

void GraphReader::connect_pending() {
  for (const Pending& p : pending_) {
    const std::string_view name = message_.names[p.name];
    const Value* v = find(name, number_of_[p.name]);
    if (v == nullptr)
      fail(describe(message_.nodes[p.reader]), " reads value '", name,
           "', which no node, input or initializer defines");
    c_.check(c_.graph().connect(c_.get(), v->port, p.in));
  }
}

void GraphReader::add_results() {
  require(!message_.outputs.empty(), "the graph has no outputs");
  for (const ValueInfo& v : message_.outputs) {
    const Value* value = find(v.name, number(v.name));
    require(value != nullptr, "output '", v.name, "' of the graph is a value that no node, input or ",
            "initializer defines");
    const std::string name = text(v.name, "/sink_port_0");
    mo_node_init init{};
    init.op = str("Result");
    init.opset = str("opset1");
    init.name = str(name);
    init.inputs = &value->port;
    init.n_inputs = 1;
    graph_.create_node(init);
  }
}

}  // namespace mo::onnx
