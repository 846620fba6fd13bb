#include "loader/graph_reader.hpp"

#include "loader/native_names.hpp"

#include <algorithm>

namespace mo::pytorch {

namespace {

std::string slashed(std::string path) {
  std::replace(path.begin(), path.end(), '.', '/');
  return path;
}

// Nodes that only check what the export has found, or note where they stand.
bool is_assertion(const Target& t) {
  const std::string_view base = t.base();
  return t.domain == "aten" && (base.starts_with("_assert") || base.starts_with("sym_constrain"));
}

}  // namespace

size_t GraphReader::slot_of(std::string_view name) const {
  const auto found = scope_->slots.find(name);
  require(found != scope_->slots.end(), "it reads '", name, "', which no node or input before it makes");
  return found->second;
}

size_t GraphReader::define(const Result& r, const OutPort& port) {
  Slot s;
  s.is = r;
  s.port = port;
  slots_.push_back(std::move(s));
  if (!r.name.empty()) give_name(r.name, slots_.size() - 1);
  return slots_.size() - 1;
}

// Only the rank is certain: users may give the inputs other sizes.
Shape GraphReader::known_rank(const Result& r) const {
  return r.shape.has_rank() ? Shape::of_rank(r.shape.size()) : Shape::unknown();
}

GraphReader::Result GraphReader::tensor_result(std::string_view name) const {
  Result r;
  r.name = name;
  const auto found = scope_->tensors.find(name);
  require(found != scope_->tensors.end(), "the program does not say what tensor '", name, "' is");
  try {
    TensorMeta m = read_tensor_meta(found->second, model_.ranges());
    r.type = m.type.type;
    r.is_complex = m.type.is_complex;
    r.shape = std::move(m.shape);
  } catch (const Error& e) {
    throw Error(text("tensor '", name, "': ", e.what()), e.status(), e.where(), e.said());
  }
  return r;
}

std::vector<GraphReader::Result> GraphReader::results_of(const Value& node) const {
  std::vector<Result> list;
  const auto number = [&](const Value& v, ElementType type) {
    Result r;
    r.name = v["as_name"] ? v["as_name"].word() : std::string_view();
    r.type = type;
    r.shape = Shape();
    r.is_number = true;
    list.push_back(r);
  };
  node.at("outputs").each([&](const Value& output) {
    const auto [kind, v] = output.only();
    if (kind == "as_tensor")
      list.push_back(tensor_result(v.at("name").word()));
    else if (kind == "as_tensors")
      v.each([&](const Value& t) { list.push_back(tensor_result(t.at("name").word())); });
    else if (kind == "as_optional_tensor" && v["as_tensor"])
      list.push_back(tensor_result(v["as_tensor"].at("name").word()));
    else if (kind == "as_optional_tensors")
      v.each([&](const Value& t) {
        list.push_back(t["as_tensor"] ? tensor_result(t["as_tensor"].at("name").word()) : Result());
      });
    else if (kind == "as_sym_int")
      number(v, ElementType::i64);
    else if (kind == "as_sym_float")
      number(v, ElementType::f64);
    else if (kind == "as_sym_bool")
      number(v, ElementType::boolean);
    else if (kind == "as_sym_ints")
      v.each([&](const Value& t) { number(t, ElementType::i64); });
    else
      list.emplace_back();
  });
  return list;
}

std::string GraphReader::node_name(const Value& node, const std::vector<Result>& results) const {
  std::string_view own = node["name"].is(Value::Kind::string) ? node["name"].word() : std::string_view();
  if (own.empty())
    for (const Result& r : results)
      if (!r.name.empty()) {
        own = r.name;
        break;
      }
  const std::string module = slashed(module_of(node));
  return text(prefix_, module, module.empty() ? "" : "/", own.empty() ? node.at("target").word() : own);
}

Node GraphReader::emit(Target target, Arguments arguments, const std::vector<Result>& results,
                       const Value& node, std::string_view name) {
  model_.charge(results.size());
  std::vector<ElementType> types;
  std::vector<Shape> shapes;
  for (size_t i = 0; i < results.size(); ++i) {
    types.push_back(results[i].type);
    shapes.push_back(results[i].shape);
    if (results[i].is_complex) arguments.complex().push_back(native::result(i));
  }
  CallRecord record{std::move(target), arguments.attributes(), node};
  const std::string op = text(record.target.domain, '.', record.target.op);
  record.attributes.emplace_back(native::arguments, arguments.names());
  if (!arguments.complex().empty()) record.attributes.emplace_back(native::complex, arguments.complex());
  record.attributes.emplace_back(native::result_types, types);
  record.attributes.emplace_back(native::result_shapes, shapes);
  std::vector<mo_port> inputs;
  for (const OutPort& p : arguments.inputs()) inputs.push_back(p.abi());
  mo_node_init init{};
  init.op = str(op);
  init.name = str(name);
  init.inputs = inputs.data();
  init.n_inputs = static_cast<uint32_t>(inputs.size());
  init.n_outputs = static_cast<uint32_t>(results.size());
  init.native = model_.add_call(std::move(record));
  const Node n = graph_.create_node(init);
  const bool is_main = scope_ == main_scope_;
  for (size_t i = 0; i < results.size(); ++i) {
    const OutPort out = n.out_port(i);
    out.set_shape(results[i].type, known_rank(results[i]));
    if (is_main && !results[i].name.empty()) out.set_tensor_names({std::string(results[i].name)});
  }
  return n;
}

void GraphReader::begin(const Value& graph) {
  scope_ = std::make_shared<Scope>();
  graph.at("tensor_values").members([&](std::string_view name, const Value& meta) {
    scope_->tensors.emplace(name, meta);
  });
}

void GraphReader::add_nodes(const Value& graph) {
  graph.at("nodes").each([&](const Value& node) {
    try {
      add_node(node);
    } catch (const Error& e) {
      const std::string_view name = node["name"].is(Value::Kind::string) ? node["name"].word() : "";
      const std::string module = module_of(node);
      const SourceLine source = source_of(node);
      throw Error(text("node '", name, name.empty() ? "" : "' ", name.empty() ? "of " : "(",
                       node["target"].is(Value::Kind::string) ? node["target"].word() : "no operator",
                       name.empty() ? "" : ")", module.empty() ? "" : " in module ", module,
                       source.file.empty() ? "" : text(", ", source.file, ':', source.line), ": ", e.what()),
                  e.status(), e.where(), e.said());
    }
  });
}

void GraphReader::add_node(const Value& node) {
  Target target = read_target(node.at("target").word());
  if (target.domain == "higher_order") return add_higher_order(node, target);
  if (!is_assertion(target)) add_call(node, std::move(target));
}

void GraphReader::add_call(const Value& node, Target target) {
  const std::vector<Result> results = results_of(node);
  const bool in_place = target.in_place, views = is_view(target, node);
  const size_t written = in_place || views ? written_slot(node) : no_slot;
  Arguments arguments = arguments_of(node);
  if (target.base() == "batch_norm" && arguments.is_true("training")) warn_of_training();
  const Node n = emit(std::move(target), std::move(arguments), results, node, node_name(node, results));
  if (views) return add_views(node, results, n, written);
  if (!in_place) {
    for (size_t i = 0; i < results.size(); ++i) define(results[i], n.out_port(i));
    return;
  }
  require(results.size() == 1, "it writes in place, but has ", results.size(), " results");
  write(written, n.out_port(0));
  if (!results[0].name.empty()) give_name(results[0].name, written);
}

// The operator writes into its running statistics, but its schema does not say so.
void GraphReader::warn_of_training() {
  if (std::exchange(has_warned_, true)) return;
  c_.warn(
      "the program normalizes batches in training mode; its running statistics stay as they are in the file. "
      "Call "
      "model.eval() before the export where that is not meant");
}

// Inputs that a node writes into, itself or through views of them.
void GraphReader::find_changed(const Value& graph) {
  std::unordered_map<std::string_view, std::string_view> roots;
  graph.at("inputs").each([&](const Value& v) {
    const auto [kind, input] = v.only();
    if (kind == "as_tensor") roots.emplace(input.at("name").word(), input.at("name").word());
  });
  const auto first_input = [](const Value& node) {
    std::string_view name;
    node.at("inputs").each([&](const Value& i) {
      const Value t = i.at("arg")["as_tensor"];
      if (name.empty() && t) name = t.at("name").word();
    });
    return name;
  };
  graph.at("nodes").each([&](const Value& node) {
    const Value named = node["target"];
    if (!named.is(Value::Kind::string) || named.word().find('.') == std::string_view::npos) return;
    const Target target = read_target(named.word());
    if (!target.in_place && view_of(target.base()) == View::none) return;
    const auto root = roots.find(first_input(node));
    if (root == roots.end()) return;
    const std::string_view of = root->second;
    if (target.in_place && view_of(target.base()) == View::none) changed_names_.insert(of);
    node.at("outputs").each([&](const Value& o) {
      const auto [kind, v] = o.only();
      if (kind == "as_tensor") roots.emplace(v.at("name").word(), of);
      if (kind == "as_tensors") v.each([&](const Value& t) { roots.emplace(t.at("name").word(), of); });
    });
  });
}

void GraphReader::read_program(bool keeps_state) {
  const Value graph = model_.graph();
  begin(graph);
  main_scope_ = scope_;
  find_changed(graph);
  model_.signature().at("output_specs").each([&](const Value& spec) {
    const auto [kind, v] = spec.only();
    if (kind != "buffer_mutation" && kind != "parameter_mutation") return;
    const std::string_view changed =
        v.at(kind == "buffer_mutation" ? "buffer_name" : "parameter_name").word();
    model_.signature().at("input_specs").each([&](const Value& input) {
      const auto [input_kind, i] = input.only();
      if (input_kind == "buffer" && i.at("buffer_name").word() == changed)
        changed_names_.insert(i.at("arg").at("name").word());
      if (input_kind == "parameter" && i.at("parameter_name").word() == changed)
        changed_names_.insert(i.at("arg").at("name").word());
    });
  });
  add_inputs(graph, keeps_state);
  add_nodes(graph);
  add_outputs(graph, keeps_state);
}

void GraphReader::add_inputs(const Value& graph, bool keeps_state) {
  std::vector<Value> specs;
  model_.signature().at("input_specs").each([&](const Value& s) { specs.push_back(s); });
  require(specs.size() == graph.at("inputs").size(), "the signature has ", specs.size(),
          " inputs, but the graph ", graph.at("inputs").size());
  for (const Value& spec : specs) {
    const auto [kind, v] = spec.only();
    if (kind == "user_input") {
      add_input(v.at("arg"));
    } else if (kind == "parameter") {
      add_weight(v.at("arg").at("name").word(), v.at("parameter_name").word(), keeps_state);
    } else if (kind == "buffer") {
      add_weight(v.at("arg").at("name").word(), v.at("buffer_name").word(), keeps_state);
    } else if (kind == "tensor_constant") {
      add_weight(v.at("arg").at("name").word(), v.at("tensor_constant_name").word(), keeps_state);
    } else if (kind == "custom_obj") {
      Slot s;
      s.problem = text("an object of a class of its own, '", v.at("custom_obj_name").word(),
                       "', which only Python can use");
      slots_.push_back(std::move(s));
      give_name(v.at("arg").at("name").word(), slots_.size() - 1);
    }  // a constant_input has become a number of the program, and a token stands for an order
  }
}

void GraphReader::add_input(const Value& argument) {
  const auto [kind, v] = argument.only();
  Result r;
  std::vector<std::string> dim_names;
  if (kind == "as_tensor") {
    r = tensor_result(v.at("name").word());
    dim_names = read_tensor_meta(scope_->tensors.at(r.name), model_.ranges()).dim_names;
  } else if (kind == "as_sym_int" && v["as_name"]) {
    r = {v.at("as_name").word(), ElementType::i64, Shape(), false, true};
  } else if (kind == "as_sym_float" && v["as_name"]) {
    r = {v.at("as_name").word(), ElementType::f64, Shape(), false, true};
  } else if (kind == "as_sym_bool" && v["as_name"]) {
    r = {v.at("as_name").word(), ElementType::boolean, Shape(), false, true};
  } else {
    return;  // the export has fixed it
  }
  const Node n = graph_.create_node("Parameter", "opset1", r.name);
  n.set("element_type", r.type).set("shape", r.shape);
  if (!dim_names.empty()) n.set(MO_ATTR_DIM_NAMES, dim_names);
  n.out_port().set_shape(r.type, r.shape);
  n.out_port().set_tensor_names({std::string(r.name)});
  const size_t slot = define(r, n.out_port());
  if (changed_names_.count(r.name) != 0) changed_.push_back({std::string(r.name), slot, false, {}});
}

// OpenVINO's CPU plugin keeps no state of i64, which counters of batches are (num_batches_tracked).
static ElementType state_type(ElementType type) { return type == ElementType::i64 ? ElementType::i32 : type; }

static OutPort converted(const Graph& g, const OutPort& x, ElementType from, ElementType to,
                         const std::string& name) {
  if (from == to) return x;
  const Node n = g.create_node("Convert", "opset1", name, {x});
  n.set("destination_type", to);
  n.out_port().set_shape(to, x.shape());
  return n.out_port();
}

void GraphReader::add_weight(std::string_view name, std::string_view fqn, bool keeps_state) {
  const size_t slot = define(tensor_result(name), {});
  Slot& s = slots_[slot];
  s.weight = fqn;
  if (changed_names_.count(name) == 0) return;
  changed_.push_back({std::string(fqn), slot, true, {}});
  const std::string node = slashed(std::string(fqn));
  if (!keeps_state) {
    const Node n = graph_.create_node("Parameter", "opset1", fqn);
    n.set("element_type", s.is.type).set("shape", s.is.shape);
    s.port = n.out_port();
    s.port.set_tensor_names({std::string(fqn)});
  } else {
    const ElementType kept = state_type(s.is.type);
    const OutPort first = converted(graph_, current(slot), s.is.type, kept, text(node, "/first"));
    const Node n = graph_.create_node("ReadValue", "opset6", text(node, "/ReadValue"), {first});
    n.set("variable_id", std::string(fqn)).set("variable_type", kept).set("variable_shape", s.is.shape);
    n.out_port().set_shape(kept, s.is.shape);
    s.port = converted(graph_, n.out_port(), kept, s.is.type, text(node, "/read"));
  }
  s.port.set_shape(s.is.type, s.is.shape);
}

OutPort GraphReader::value_of(const Value& argument) {
  const auto [kind, v] = argument.only();
  if (kind == "as_tensor") return current(slot_of(v.at("name").word()));
  if (kind == "as_optional_tensor") return v["as_tensor"] ? value_of(v) : OutPort();
  if (kind.starts_with("as_sym_") && v["as_name"]) return current(slot_of(v.at("as_name").word()));
  return {};
}

void GraphReader::add_result(const OutPort& port, std::string_view name) {
  graph_.create_node("Result", "opset1", text(name, "/sink_port_0"), {port}, 0);
}

// Numbers that the export has fixed, and None, are no outputs.
void GraphReader::add_outputs(const Value& graph, bool keeps_state) {
  std::vector<Value> specs;
  model_.signature().at("output_specs").each([&](const Value& s) { specs.push_back(s); });
  require(specs.size() == graph.at("outputs").size(), "the signature has ", specs.size(),
          " outputs, but the graph ", graph.at("outputs").size());
  for (const Value& spec : specs) {
    const Value::Member member = spec.only();
    const std::string_view kind = member.name;
    const Value& v = member.value;
    if (kind.ends_with("_mutation")) {
      const bool is_buffer = kind != "user_input_mutation";
      const std::string_view of = v.at(kind == "buffer_mutation"      ? "buffer_name"
                                       : kind == "parameter_mutation" ? "parameter_name"
                                                                      : "user_input_name")
                                      .word();
      const OutPort last = current(slot_of(v.at("arg").at("name").word()));
      const auto known = std::find_if(changed_.begin(), changed_.end(), [&](const Changed& ch) {
        return ch.name == of && ch.is_buffer == is_buffer;
      });
      if (known != changed_.end())
        known->last = last;
      else if (!is_buffer)
        changed_.push_back({std::string(of), no_slot, false, last});
    } else if (kind == "user_output" || kind == "loss_output") {
      const auto [type, value] = v.at("arg").only();
      const OutPort port = value_of(v.at("arg"));
      if (port) add_result(port, type == "as_tensor" ? value.at("name").word() : value.at("as_name").word());
    }
  }
  for (const Changed& ch : changed_) {
    const OutPort last = ch.last ? ch.last : current(ch.slot);
    if (ch.is_buffer && keeps_state) {
      const ElementType type = slots_[ch.slot].is.type, kept = state_type(type);
      const std::string node = slashed(ch.name);
      const OutPort value = converted(graph_, last, type, kept, text(node, "/changed"));
      const Node n = graph_.create_node("Assign", "opset6", text(node, "/Assign"), {value});
      n.set("variable_id", ch.name);
      n.out_port().set_shape(kept, slots_[ch.slot].is.shape);
    } else {
      add_result(last, text(ch.name, "/changed"));
    }
  }
}

}  // namespace mo::pytorch
