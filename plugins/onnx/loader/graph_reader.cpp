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

static std::string describe(const NodeMessage& n) {
  return text("node '", name_of_node(n), "' (", n.domain, n.domain.empty() ? "" : ".", n.op, ')');
}

// For messages: walks to the node.
std::string GraphReader::describe(uint32_t node) const {
  NodeMessage n;
  for (const wire::Field& f : wire::Message(proto_))
    if (f.number == node_field_ && node-- == 0) {
      parse_node(f.bytes(), n);
      break;
    }
  return onnx::describe(n);
}

void GraphReader::read(Bytes graph_proto) {
  message_ = parse_graph(graph_proto, [this](Bytes b) { model_.files().passed(c_, b); });
  // A damaged file may count what is not there.
  const size_t values =
      std::min(message_.initializers.size() + message_.inputs.size() + message_.nodes, size_t{1} << 20);
  values_.reserve(values);
  numbers_.max_load_factor(0.9F);  // half full, the table is twice as large, and no cache holds it
  numbers_.reserve(values);
  add_initializers();
  add_parameters();
  read_nodes(graph_proto, field::graph::node);
  add_results();
}

void GraphReader::read_nodes(Bytes proto, uint32_t node_field) {
  proto_ = proto;
  node_field_ = node_field;
  uint32_t number = 0;
  for (const wire::Field& f : wire::Message(proto)) {
    if (f.number == node_field) add_node(f.bytes(), number++);
    if (f.number == field::graph::initializer && node_field == field::graph::node)
      model_.files().passed(c_, f.bytes());
  }
  add_delayed_calls();
  connect_pending();
}

void GraphReader::add_node(Bytes node, uint32_t number) {
  node_number_ = number;
  parse_node(node, node_);
  speaking_of([&] { return onnx::describe(node_); }, [&] { add_node(); });
}

// One warning however many there are: a broken file has as many as it has bytes for.
void GraphReader::warn_of_repeated(std::string_view kind, std::string_view of_graph,
                                   const std::set<std::string_view>& names, std::string_view counts) const {
  if (names.empty()) return;
  const std::string others = names.size() == 1   ? " is"
                             : names.size() == 2 ? " and one other are"
                                                 : text(" and ", names.size() - 1, " others are");
  c_.warn(
      text(kind, " '", *names.begin(), "'", of_graph, others, " there twice; the ", counts, " one counts"));
}

void GraphReader::add_initializers() {
  std::set<std::string_view> repeated;
  const auto add = [&](std::string_view name, Bytes bytes, bool sparse) {
    require(!name.empty(), "an initializer has no name");
    Value& v = value(name);
    if (v.defined) repeated.insert(name);
    v.defined = true;
    v.initializer = static_cast<uint32_t>(initializers_.size());
    initializers_.push_back({bytes, sparse});
  };
  for (const Bytes b : message_.initializers) {
    add(name_of_tensor(b), b, false);
    model_.files().passed(c_, b);
  }
  for (const Bytes b : message_.sparse_initializers) add(name_of_sparse_tensor(b), b, true);
  warn_of_repeated("initializer", "", repeated, "last");
}

void GraphReader::add_parameters() {
  std::set<std::string_view> repeated;
  for (const ValueInfo& v : message_.inputs) {
    require(!v.name.empty(), "an input of the graph has no name");
    const Value& known = value(v.name);
    // An initializer that is also an input is its default: a constant for us.
    if (known.initializer != none) continue;
    if (known.defined) {
      repeated.insert(v.name);
      continue;
    }
    speaking_of([&] { return text("input '", v.name, "' of the graph"); }, [&] { add_parameter(v); });
  }
  warn_of_repeated("input", " of the graph", repeated, "first");
}

void GraphReader::add_parameter(const ValueInfo& v) {
  // A body learns the types of its inputs from outside; a sequence that a loop carries along has none.
  const bool open = outer_ != nullptr && (v.type.empty() || is_sequence_type(v.type));
  const TensorType t = open ? TensorType{} : parse_tensor_type(v.type);
  mo_node_init init{};
  const mo_str value_name = str(v.name);
  init.op = str("Parameter");
  init.opset = str("opset1");
  init.name = value_name;
  init.n_outputs = 1;
  init.output_names = &value_name;
  const Node n = graph_.create_node(init);
  if (t.type.type != ElementType::unknown) n.set("element_type", t.type.type);
  if (outer_ == nullptr) n.set("shape", t.shape);  // that of a body's inputs may change from step to step
  if (outer_ == nullptr && !t.dim_names.empty()) n.set(MO_ATTR_DIM_NAMES, t.dim_names);
  n.out_port().set_shape(t.type.type, t.shape);
  if (outer_ == nullptr) tell_of_held_type("input", v.name, t.type);
  define(v.name, n.out_port().abi(), t.type, none);
}

GraphReader::Value& GraphReader::value(std::string_view name) {
  const auto known = numbers_.find(name);
  if (known != numbers_.end()) return values_[*known];
  Value& v = values_.emplace_back();
  v.name = name;
  numbers_.insert(static_cast<uint32_t>(values_.size() - 1));
  return v;
}

void GraphReader::define(std::string_view name, mo_port port, ValueType type, uint32_t definer) {
  Value& v = value(name);
  if (v.defined) {
    const std::string by = v.definer != none       ? describe(v.definer)
                           : v.initializer == none ? std::string("an input of the graph")
                                                   : std::string("an initializer");
    fail("value '", name, "' is already defined by ", by);
  }
  v.defined = true;
  v.node = port.node;
  v.port = port.index;
  v.type = type;
  v.definer = definer;
}

const GraphReader::Value* GraphReader::find(std::string_view name) {
  Value& v = value(name);
  if (!v.defined) return capture(name, false);
  if (v.node == 0 && v.initializer != none) make_initializer(name, v);
  return &v;
}

ValueType GraphReader::type_of_output(uint32_t output) {
  if (!bodies_.empty()) return type_from_bodies(output);
  const TypeRule rule = type_rule(node_, output);
  if (rule.source == TypeRule::fixed) return rule.type;
  if (rule.source == TypeRule::attribute) return type_of_attribute(node_.bytes, scope_, rule.name, rule.type);
  if (rule.source != TypeRule::input || rule.from_input >= node_.inputs.size()) return {};
  return types_[rule.from_input];
}

Node GraphReader::make_const(std::string_view node_name, std::string_view value, const Tensor& tensor) {
  const Node n = graph_.create_const(node_name, tensor);
  const mo_str value_name = str(value);
  if (!value.empty()) c_.check(c_.graph().set_tensor_names(c_.get(), n.out_port().abi(), &value_name, 1));
  return n;
}

void GraphReader::make_initializer(std::string_view name, Value& v) {
  const Initializer& i = initializers_[v.initializer];
  speaking_of([&] { return text("initializer '", name, "'"); },
              [&] {
                const Tensor t = i.sparse ? read_sparse_tensor(c_, model_.files(), i.bytes)
                                          : read_tensor(c_, model_.files(), i.bytes);
                const std::string in_graph = name_in_graph(name);
                const Node n = make_const(in_graph, value_in_graph(name), t);
                if (n.name() != in_graph) n.rename(name_for_const(in_graph));
                v.node = n.id();
                v.type = {t.type(), i.sparse ? Held::none : held_type_of_tensor(i.bytes)};
              });
}

// Users know operations by name: a constant gives way. Operations of one name are told apart by the graph.
void GraphReader::take_name(const Node& node, std::string_view name) {
  if (name.empty() || node.name() == name) return;
  const auto known = numbers_.find(name);
  if (known == numbers_.end() || values_[*known].initializer == none) return;
  const Node constant(c_, values_[*known].node);
  if (values_[*known].node == 0 || constant.name() != name) return;
  constant.rename(name_for_const(name));
  node.rename(name);
}

std::string GraphReader::name_for_const(std::string_view initializer) const {
  std::string name = text(initializer, "/const");
  for (int i = 1; graph_.find(name); ++i) name = text(initializer, "/const_", i);
  return name;
}

void GraphReader::add_constant() {
  if (node_.outputs.empty()) return;
  const Tensor value = read_constant(c_, model_.files(), node_.bytes, scope_);
  const Held held = type_of_attribute(node_.bytes, scope_, "value", ElementType::unknown).held;
  const Node node = make_const(name_in_graph(name_of_node(node_)), value_in_graph(node_.outputs[0]), value);
  define(node_.outputs[0], node.out_port().abi(), {value.type(), held}, node_number_);
}

void GraphReader::name_outputs() {
  names_.clear();
  in_graph_.clear();
  if (call_ != nullptr)
    for (const std::string_view o : node_.outputs) in_graph_.push_back(value_in_graph(o));
  for (size_t i = 0; i < node_.outputs.size(); ++i)
    names_.push_back(call_ == nullptr ? str(node_.outputs[i]) : str(in_graph_[i]));
}

void GraphReader::add_node() {
  require(!node_.op.empty(), "it has no op_type");
  if (const FunctionMessage* f = model_.functions().called_by(node_)) return add_call(*f);
  if (call_ != nullptr) model_.charge(call_->prefix.size() + node_.bytes.size());
  if (node_.op == "Constant" && node_.domain.empty()) return add_constant();
  if (add_modified_attention()) return;
  sources_.clear();
  types_.clear();
  const size_t first_pending = pending_.size();
  read_bodies();
  for (uint32_t i = 0; i < node_.inputs.size(); ++i) {
    const std::string_view name = node_.inputs[i];
    const Value* v = name.empty() ? nullptr : find(name);
    if (v == nullptr && !name.empty()) pending_.push_back({{0, i, MO_PORT_IN}, name, onnx::describe(node_)});
    const bool known = v != nullptr && v->node != 0;
    sources_.push_back(known ? mo_port{v->node, v->port, MO_PORT_OUT} : mo_port{});
    types_.push_back(v == nullptr ? ValueType() : v->type);
  }
  check_held_types();
  name_outputs();
  const std::string name = name_in_graph(name_of_node(node_));
  const std::string full_op = node_.domain.empty() ? std::string() : text(node_.domain, '.', node_.op);
  mo_node_init init{};
  init.op = str(node_.domain.empty() ? node_.op : std::string_view(full_op));
  init.name = str(name);
  init.inputs = sources_.data();
  init.n_inputs = static_cast<uint32_t>(sources_.size());
  init.n_outputs = static_cast<uint32_t>(names_.size());
  init.output_names = names_.data();
  init.native = model_.add_node(node_, scope_);
  const Node node = graph_.create_node(init);
  take_name(node, node_.name);
  give_bodies(node);
  note_held_type(node);
  for (uint32_t i = 0; i < node_.outputs.size(); ++i) {
    if (node_.outputs[i].empty()) continue;
    const ValueType type = type_of_output(i);
    const OutPort port(c_, node.id(), i);
    if (type.type != ElementType::unknown) port.set_shape(type.type, Shape::unknown());
    define(node_.outputs[i], port.abi(), type, node_number_);
  }
  for (size_t p = first_pending; p < pending_.size(); ++p) pending_[p].in.node = node.id();
}

void GraphReader::check_held_types() const {
  const auto held =
      std::find_if(types_.begin(), types_.end(), [](const ValueType& t) { return t.held != Held::none; });
  if (held == types_.end() || may_read_held_types(node_)) return;
  fail("input ", held - types_.begin(), " is ", name_of(held->held),
       ", which the IR does not have and another type holds; only operators that convert values or move ",
       "them can read it");
}

void GraphReader::note_held_type(const Node& node) const {
  const uint32_t like = node_.op == "CastLike" ? 1 : node_.op == "QuantizeLinear" ? 2 : none;
  if (like < types_.size() && types_[like].held != Held::none)
    node.set(held_type_attribute, static_cast<int64_t>(types_[like].held));
}

void GraphReader::tell_of_held_type(std::string_view what, std::string_view name,
                                    const ValueType& type) const {
  if (type.held == Held::none) return;
  c_.warn(text(what, " '", name, "' of the graph is ", name_of(type.held),
               ", which the IR does not have; it is ", mo::name(type.type), " there, with the same numbers"));
}

void GraphReader::connect_pending() {
  for (const Pending& p : pending_) {
    const Value* v = find(p.value);
    if (v == nullptr) v = capture(p.value, true);
    if (v != nullptr && v->node == 0) continue;
    if (v == nullptr)
      fail(p.reader, " reads value '", p.value, "', which no node, input or initializer defines");
    require(v->type.held == Held::none, p.reader, " reads value '", p.value, "' of type ",
            name_of(v->type.held), " and stands before the node that makes it; ",
            "put the nodes into the order in which they run");
    c_.check(c_.graph().connect(c_.get(), {v->node, v->port, MO_PORT_OUT}, p.in));
  }
}

void GraphReader::add_results() {
  require(!message_.outputs.empty(), "the graph has no outputs");
  for (const ValueInfo& v : message_.outputs) {
    const Value* value = find(v.name);
    if (value == nullptr) value = capture(v.name, true);
    require(value != nullptr, "output '", v.name, "' of the graph is a value that no node, input or ",
            "initializer defines");
    require(value->node != 0, "output '", v.name, "' of the graph is an input that the call of the function ",
            "leaves out");
    const mo_port from{value->node, value->port, MO_PORT_OUT};
    const std::string name = text(v.name, "/sink_port_0");
    mo_node_init init{};
    init.op = str("Result");
    init.opset = str("opset1");
    init.name = str(name);
    init.inputs = &from;
    init.n_inputs = 1;
    const Node result = graph_.create_node(init);
    if (outer_ == nullptr) declare_output(result, v);
  }
}

// For whoever looks at the model before it is inferred.
void GraphReader::declare_output(const Node& result, const ValueInfo& v) const {
  TensorType t;
  try {
    t = parse_tensor_type(v.type);
  } catch (const Error&) {  // no tensor, or nothing that is needed
    return;
  }
  tell_of_held_type("output", v.name, t.type);
  if (t.type.type != ElementType::unknown) result.set(MO_ATTR_DECLARED_TYPE, t.type.type);
  if (t.shape.has_rank()) result.set(MO_ATTR_DECLARED_SHAPE, t.shape);
  if (!t.dim_names.empty()) result.set(MO_ATTR_DIM_NAMES, t.dim_names);
}

}  // namespace mo::onnx
