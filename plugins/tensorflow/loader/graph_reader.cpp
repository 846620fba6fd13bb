#include "loader/graph_reader.hpp"

#include "loader/complex_numbers.hpp"
#include "loader/control_flow.hpp"
#include "loader/layout.hpp"
#include "loader/tables.hpp"
#include "loader/variables.hpp"

namespace mo::tensorflow {

namespace {

template <class F>
void speaking_of(const NodeDef& n, F f) {
  try {
    f();
  } catch (const Error& e) {
    throw Error(text(describe(n), ": ", e.what()), e.status(), e.where());
  }
}

bool has_functions(std::string_view op) {
  return op == "While" || op == "StatelessWhile" || op == "If" || op == "StatelessIf" || op == "Case" ||
         op == "StatelessCase";
}

bool is_placeholder(std::string_view op) { return op == "Placeholder" || op == "PlaceholderV2"; }

// What any node reads or waits for.
std::vector<bool> read_by_nodes(const Body& body) {
  std::vector<bool> read(body.nodes.size());
  for (const NodeDef& n : body.nodes) {
    for (const Source& s : n.inputs) read[s.node] = true;
    for (const uint32_t c : n.controls) read[c] = true;
  }
  return read;
}

// TensorFlow 2 leaves a Placeholder for each argument of a function that it put in the place of its call. Those
// that nobody reads are no inputs, unless the user names them.
std::vector<bool> without_unread_inputs(Context c, const Body& body,
                                        const std::vector<Body::Output>& results) {
  std::vector<bool> kept = read_by_nodes(body);
  for (const Body::Output& o : results) kept[o.from.node] = true;
  const std::string named = option<std::string>(c, "input").value_or("") + ' ' +
                            option<std::string>(c, "freeze_placeholder_with_value").value_or("");
  for (size_t i = 0; i < kept.size(); ++i)
    kept[i] =
        kept[i] || !is_placeholder(body.nodes[i].op) || named.find(body.nodes[i].name) != std::string::npos;
  return kept;
}

}  // namespace

void GraphReader::read(const Body& body, const Scope& scope, const std::vector<Body::Output>& outputs) {
  const bool all = outputs.empty();
  const std::vector<Body::Output> results = all ? leaves(model_, body, scope) : outputs;
  Instance& main =
      add(body, scope, nullptr, 0, all ? without_unread_inputs(c_, body, results) : reachable(body, results));
  connect();
  add_bodies();
  for (const Body::Output& o : results) add_result(main, o);
}

void GraphReader::read_function(const Body& body, const Scope& scope, const std::vector<ElementType>& types) {
  argument_types_ = types;
  std::vector<bool> needed = reachable(body, body.outputs);
  for (const uint32_t a : body.arguments) needed[a] = true;
  Instance& main = add(body, scope, nullptr, 0, needed);
  connect();
  add_bodies();
  for (const Body::Output& o : body.outputs) add_result(main, o);
}

GraphReader::Instance& GraphReader::add(const Body& body, const Scope& scope, Instance* caller, uint32_t call,
                                        const std::vector<bool>& needed) {
  Instance& in = instances_.emplace_back(Instance{&body, &scope, caller, call, {}});
  in.nodes.resize(body.nodes.size());
  for (uint32_t i = 0; i < body.nodes.size(); ++i)
    if (needed[i]) speaking_of(body.nodes[i], [&] { add_node(in, i); });
  return in;
}

void GraphReader::add_node(Instance& in, uint32_t index) {
  const NodeDef& n = in.body->nodes[index];
  if (in.scope->depth != 0) model_.charge(in.scope->prefix.size() + n.name.size());
  if (n.op == "_Arg") {
    if (in.caller == nullptr) add_argument(in, index);
    return;
  }
  if (is_placeholder(n.op) && !needs_complex_arithmetic(model_, n, *in.scope))
    return add_parameter(in, index, element_type_of(Attributes(model_, n, *in.scope).type("dtype")));
  if (add_constant(in, index) || add_table(in, index)) return;
  if (const auto f = model_.called_by(n, *in.scope)) return add_call(in, index, *f);
  add_native(in, index);
}

void GraphReader::add_call(Instance& in, uint32_t index, const FunctionValue& f) {
  const NodeDef& n = in.body->nodes[index];
  const Scope& scope = model_.enter(*in.scope, f, text(in.scope->prefix, n.name, '/'));
  Body body = tensorflow::read_function(model_, scope);
  lower_control_flow(model_, scope, body);
  require(n.inputs.size() == body.arguments.size(), "it gives ", n.inputs.size(), " inputs to function '",
          f.name, "', which takes ", body.arguments.size());
  const Body& kept = *model_.add_body(std::move(body));
  in.nodes[index].called = &add(kept, scope, &in, index, reachable(kept, kept.outputs));
}

void GraphReader::add_argument(Instance& in, uint32_t index) {
  const auto& arguments = in.body->arguments;
  const auto number =
      static_cast<size_t>(std::lower_bound(arguments.begin(), arguments.end(), index) - arguments.begin());
  const DataType stated = Attributes(model_, in.body->nodes[index], *in.scope).type("T");
  ElementType type = element_type_of(stated);
  if (stated == DataType::invalid && number < argument_types_.size()) type = argument_types_[number];
  add_parameter(in, index, type);
}

void GraphReader::add_parameter(Instance& in, uint32_t index, ElementType element) {
  const NodeDef& n = in.body->nodes[index];
  const Attributes a(model_, n, *in.scope);
  const std::string name = in.scope->prefix + std::string(n.name);
  mo_node_init init{};
  init.op = str("Parameter");
  init.opset = str("opset1");
  init.name = str(name);
  init.n_outputs = 1;
  if (n.op != "_Arg") init.native = model_.add_node(n, *in.scope, n.op);
  const Node node = graph_.create_node(init);
  Shape shape = Shape::unknown();
  if (const auto s = a.shape("shape"); s && n.op != "_Arg") shape = *s;
  // Old files say [] where they do not know the shape.
  const std::vector<Shape> known = a.shapes("_output_shapes");
  if (!known.empty() && (!shape.has_rank() || shape.empty())) shape = known[0];
  if (element != ElementType::unknown) node.set("element_type", element);
  if (names_) node.set("shape", shape);
  node.out_port().set_shape(element, shape);
  in.nodes[index] = {node.id(), nullptr, 1};
  name_tensors(node, name, 1);
}

// A variable is the constant that its checkpoint has.
bool GraphReader::add_variable(Instance& in, uint32_t index) {
  const NodeDef& n = in.body->nodes[index];
  if (!is_variable(n.op) || model_.variables() == nullptr) return false;
  const std::string name = in.scope->prefix + std::string(n.name);
  const Node node = graph_.create_const(name, model_.variables()->read(c_, n, *in.scope),
                                        model_.add_node(n, *in.scope, n.op));
  in.nodes[index] = {node.id(), nullptr, 1};
  name_tensors(node, name, 1);
  return true;
}

bool GraphReader::add_constant(Instance& in, uint32_t index) {
  const NodeDef& n = in.body->nodes[index];
  if (n.op != "Const") return add_variable(in, index);
  const auto value = Attributes(model_, n, *in.scope).find("value");
  if (!value || value->kind != AttrValue::tensor || value->messages.empty()) return false;
  if (!has_elements(value->messages.back())) return false;
  const std::string name = in.scope->prefix + std::string(n.name);
  const Node node = graph_.create_const(name, model_.tensors().read(c_, value->messages.back()),
                                        model_.add_node(n, *in.scope, n.op));
  in.nodes[index] = {node.id(), nullptr, 1};
  name_tensors(node, name, 1);
  return true;
}

// A table has its keys and values as inputs.
bool GraphReader::add_table(Instance& in, uint32_t index) {
  const NodeDef& n = in.body->nodes[index];
  const TensorflowModel::Table* table = is_table(n.op) ? model_.table(n.name) : nullptr;
  if (table == nullptr) return false;
  const Attributes a(model_, n, *in.scope);
  for (const char* type : {"key_dtype", "value_dtype"})
    if (a.type(type) == DataType::invalid) return false;
  const std::string name = in.scope->prefix + std::string(n.name);
  std::array<mo_port, 2> inputs{};
  for (const auto& [i, part] : {std::pair(0U, "/keys"), std::pair(1U, "/values")}) {
    const Tensor value = model_.tensors().read(c_, i == 0 ? table->keys : table->values);
    inputs[i] = graph_.create_const(name + part, value).out_port().abi();
  }
  mo_node_init init{};
  init.op = str(n.op);
  init.name = str(name);
  init.inputs = inputs.data();
  init.n_inputs = static_cast<uint32_t>(inputs.size());
  init.n_outputs = 1;
  init.native = model_.add_node(n, *in.scope, n.op);
  in.nodes[index] = {graph_.create_node(init).id(), nullptr, 1};
  return true;
}

// Outputs of an operator that the tables do not have: as many as are read.
uint32_t GraphReader::outputs_read(const Instance& in, uint32_t index) {
  std::vector<uint32_t>& counts = reads_[in.body];
  if (counts.empty()) {
    counts.assign(in.body->nodes.size(), 1);
    const auto read = [&](const Source& s) { counts[s.node] = std::max(counts[s.node], s.output + 1); };
    for (const NodeDef& n : in.body->nodes)
      for (const Source& s : n.inputs) read(s);
    for (const Body::Output& o : in.body->outputs) read(o.from);
  }
  constexpr uint32_t most = 1 << 16;
  require(counts[index] <= most, "output ", counts[index] - 1, " of it is read; the operator is not known");
  model_.charge(uint64_t{counts[index]} * 64);
  return counts[index];
}

void GraphReader::add_native(Instance& in, uint32_t index) {
  const NodeDef& n = in.body->nodes[index];
  const auto types = model_.output_types(n, *in.scope);
  const uint32_t outputs = types ? static_cast<uint32_t>(types->size()) : outputs_read(in, index);
  if (outputs == 0) return;  // saves, prints or waits: nothing that an inference gives
  const std::string name = in.scope->prefix + std::string(n.name);
  const std::vector<mo_port> unconnected(n.inputs.size());
  // No plugin knows this one, and the conversion says so if it is needed.
  const bool complex = needs_complex_arithmetic(model_, n, *in.scope);
  const std::string_view op = complex ? model_.keep(text(n.op, " of complex numbers")) : n.op;
  mo_node_init init{};
  init.op = str(op);
  init.name = str(name);
  init.inputs = unconnected.data();
  init.n_inputs = static_cast<uint32_t>(unconnected.size());
  init.n_outputs = outputs;
  init.native = model_.add_node(n, *in.scope, op);
  const Node node = graph_.create_node(init);
  in.nodes[index] = {node.id(), nullptr, outputs};
  if (types) set_types(node, n, *in.scope, *types);
  name_tensors(node, name, outputs);
  note_layout(model_, n, *in.scope);
  if (!n.bodies.empty() || has_functions(n.op)) holders_[node.id()] = {&n, in.scope};
}

void GraphReader::set_types(const Node& node, const NodeDef& n, const Scope& scope,
                            const std::vector<DataType>& types) {
  std::vector<Shape> shapes;
  if (n.op == "IteratorGetNext") shapes = Attributes(model_, n, scope).shapes("output_shapes");
  for (uint32_t i = 0; i < types.size(); ++i) {
    const ElementType t = element_type_of(types[i]);
    const Shape shape = i < shapes.size() ? shapes[i] : Shape::unknown();
    if (t != ElementType::unknown || shape.has_rank()) OutPort(c_, node.id(), i).set_shape(t, shape);
  }
}

void GraphReader::name_tensors(const Node& node, std::string_view name, uint32_t outputs) {
  if (!names_) return;
  for (uint32_t i = 0; i < outputs; ++i) {
    const std::string full = text(name, ':', i);
    const std::array<mo_str, 2> names{str(full), str(name)};
    c_.check(c_.graph().set_tensor_names(c_.get(), mo_port{node.id(), i, MO_PORT_OUT}, names.data(),
                                         i == 0 ? 2 : 1));
  }
}

// One step towards what gives a value: into a call, or out of the function to the call's input.
std::optional<GraphReader::Place> GraphReader::step(const Place& p) const {
  const Emitted& e = p.in->nodes[p.at.node];
  if (e.called != nullptr) {
    const auto& outputs = e.called->body->outputs;
    require(p.at.output < outputs.size(), "output ", p.at.output, " of ",
            describe(p.in->body->nodes[p.at.node]), " is read, which has ", outputs.size());
    return Place{e.called, outputs[p.at.output].from};
  }
  if (e.node != 0 || p.in->caller == nullptr) return std::nullopt;
  const auto& arguments = p.in->body->arguments;
  const auto known = std::lower_bound(arguments.begin(), arguments.end(), p.at.node);
  if (known == arguments.end() || *known != p.at.node) return std::nullopt;
  const NodeDef& call = p.in->caller->body->nodes[p.in->call];
  return Place{p.in->caller, call.inputs[static_cast<size_t>(known - arguments.begin())]};
}

mo_port GraphReader::resolve(Instance& in, Source at) {
  std::vector<Place> way;
  Place p{&in, at};
  mo_port port{};
  for (;;) {
    const auto next = step(p);
    if (!next) {
      const Emitted& e = p.in->nodes[p.at.node];
      require(e.node != 0 && p.at.output < e.outputs, "output ", p.at.output, " of ",
              describe(p.in->body->nodes[p.at.node]), " is read, which has ", e.outputs);
      port = {e.node, p.at.output, MO_PORT_OUT};
      break;
    }
    const auto [known, fresh] = resolved_.try_emplace(p);
    if (!fresh) {
      require(known->second.node != 0, "a value passes through calls of functions in a circle");
      port = known->second;
      break;
    }
    way.push_back(p);
    p = *next;
  }
  for (const Place& w : way) resolved_[w] = port;
  return port;
}

void GraphReader::connect() {
  for (Instance& in : instances_) {
    for (uint32_t i = 0; i < in.nodes.size(); ++i) {
      const NodeDef& n = in.body->nodes[i];
      if (in.nodes[i].node == 0 || n.inputs.empty() || n.op == "_Arg" || is_placeholder(n.op)) continue;
      speaking_of(n, [&] {
        for (uint32_t k = 0; k < n.inputs.size(); ++k) {
          const mo_port to{in.nodes[i].node, k, MO_PORT_IN};
          c_.check(c_.graph().connect(c_.get(), resolve(in, n.inputs[k]), to));
        }
      });
    }
  }
}

void GraphReader::add_result(Instance& in, const Body::Output& o) {
  const OutPort from(c_, resolve(in, o.from));
  const std::string name = text(o.name, "/sink_port_", o.from.output);
  graph_.create_node("Result", "opset1", name, {from}, 0);
}

std::vector<bool> reachable(const Body& body, const std::vector<Body::Output>& outputs) {
  std::vector<bool> found(body.nodes.size());
  std::vector<uint32_t> todo;
  const auto visit = [&](const Source& s) {
    if (!found[s.node]) todo.push_back(s.node);
    found[s.node] = true;
  };
  for (const Body::Output& o : outputs) visit(o.from);
  while (!todo.empty()) {
    const NodeDef& n = body.nodes[todo.back()];
    todo.pop_back();
    for (const Source& s : n.inputs) visit(s);
  }
  return found;
}

std::vector<Body::Output> leaves(TensorflowModel& model, const Body& body, const Scope& scope) {
  const std::vector<bool> read = read_by_nodes(body);
  // Constants and inputs that nobody reads are left over; they are outputs when there are no others.
  for (const bool any : {false, true}) {
    std::vector<Body::Output> outputs;
    for (uint32_t i = 0; i < body.nodes.size(); ++i) {
      const NodeDef& n = body.nodes[i];
      const bool left_over = n.op == "Const" || n.op == "_Arg" || is_placeholder(n.op);
      if (read[i] || (left_over && !any)) continue;
      speaking_of(n, [&] {
        const auto count = static_cast<uint32_t>(model.output_count(n, scope));
        for (uint32_t k = 0; k < count; ++k) outputs.push_back({n.name, {i, k}});
      });
    }
    if (!outputs.empty()) return outputs;
  }
  return {};
}

}  // namespace mo::tensorflow
