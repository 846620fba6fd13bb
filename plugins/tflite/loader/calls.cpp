// Operators that run other sub-graphs: IF, STABLEHLO_CASE, WHILE, CALL_ONCE, STABLEHLO_COMPOSITE and their
// like.
#include <mo/bodies.hpp>

#include "loader/graph_reader.hpp"

#include <algorithm>
#include <array>

namespace mo::tflite {

bool GraphReader::add_call(const Operator& op) {
  if (op.code->is_custom) return false;
  const std::string_view type = op.code->op;
  if (type == "IF")
    add_if(op);
  else if (type == "STABLEHLO_CASE")
    add_case(op);
  else if (type == "WHILE" || type == "STABLEHLO_WHILE")
    add_while(op);
  else if (type == "CALL_ONCE")
    add_call_once(op);
  else if (type == "STABLEHLO_COMPOSITE")
    add_composite(op);
  else
    return false;
  return true;
}

int64_t GraphReader::called(const Operator& op, std::string_view option) const {
  const Options* options = options_of(op.code->op);
  require(options != nullptr && op.options != nullptr, "it has no options");
  const Field* f = options->find(option);
  require(f != nullptr, "it has no option '", option, "'");
  return integer_of(op.options, *f);
}

bool GraphReader::is_active(const SubGraph& g) const {
  return sub_graph_ == &g || (outer_ != nullptr && outer_->is_active(g));
}

const SubGraph& GraphReader::callee(int64_t sub_graph) const {
  const SubGraph& g = model_.sub_graph(sub_graph);
  require(!is_active(g), "sub-graph ", sub_graph, " calls itself");
  require(depth_ < TfliteModel::deepest_call, "calls of sub-graphs are nested deeper than ",
          TfliteModel::deepest_call, " levels");
  return g;
}

std::vector<GraphReader::Argument> GraphReader::arguments_of(const Operator& op, size_t first) {
  require(op.inputs.size() >= first, "it has ", op.inputs.size(), " inputs");
  std::vector<Argument> list;
  for (size_t i = first; i < op.inputs.size(); ++i) {
    const int32_t tensor = op.inputs[i];
    require(tensor >= 0, "input ", i, " is left out");
    if (!handles_[static_cast<size_t>(tensor)].empty())
      list.push_back({{}, handles_[static_cast<size_t>(tensor)]});
    else
      list.push_back({value(tensor), {}});
  }
  return list;
}

std::vector<OutPort> GraphReader::read_call(const SubGraph& g, const std::vector<Argument>& arguments) {
  require(g.inputs.size() == arguments.size(), "sub-graph '", g.name, "' has ", g.inputs.size(),
          " inputs, expected ", arguments.size());
  begin(g);
  for (size_t i = 0; i < arguments.size(); ++i) {
    require(g.inputs[i] >= 0, "an input of sub-graph '", g.name, "' is left out");
    define(g.inputs[i], arguments[i].port);
    handles_[static_cast<size_t>(g.inputs[i])] = arguments[i].variable;
  }
  add_operators();
  std::vector<OutPort> outputs;
  for (const int32_t t : g.outputs) {
    require(t >= 0, "an output of sub-graph '", g.name, "' is left out");
    outputs.push_back(value(t));
  }
  return outputs;
}

std::vector<OutPort> GraphReader::inlined(int64_t sub_graph, const std::vector<Argument>& arguments,
                                          Graph into, std::string_view what, Variables& variables) {
  const SubGraph& g = callee(sub_graph);
  GraphReader reader(c_, model_, into, variables, text(what, '/'), this);
  reader.body_ = into.id() != graph_.id();
  return reader.read_call(g, arguments);
}

GraphReader::Body GraphReader::body(const std::vector<Argument>& arguments, std::string_view what,
                                    const std::vector<bool>& varies, const std::vector<std::string>& carried,
                                    const ReadBody& read) {
  Body b{graph_.create_sub_graph(what), {}, {}, {}, {}};
  std::vector<Argument> inside;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const OutPort from = arguments[i].port;
    Argument& a = inside.emplace_back(Argument{{}, arguments[i].variable});
    b.parameters.emplace_back();
    if (!from) continue;
    if (const auto value = from.value(); value && !varies[i]) {
      a.port = b.graph.create_const(text("argument_", i), *value).out_port();
      continue;
    }
    const Node p = b.graph.create_node("Parameter", "opset1", text("argument_", i));
    if (from.type() != ElementType::unknown) p.set("element_type", from.type());
    const Shape s = from.shape();
    p.out_port().set_shape(from.type(), s.has_rank() ? Shape::of_rank(s.size()) : s);
    b.parameters.back() = a.port = p.out_port();
  }
  const size_t own = arguments.size() - carried.size();
  for (size_t i = 0; i < carried.size(); ++i) {
    Variables::Variable& v = b.variables.get(carried[i]);
    v = variables_.get(carried[i]);
    v.current = inside[own + i].port;
    b.entered.push_back(v.current);
  }
  inside.resize(own);
  GraphReader reader(c_, model_, b.graph, b.variables, text(what, '/'), this);
  reader.body_ = true;
  b.outputs = read(reader, inside);
  for (const std::string& name : carried) b.outputs.push_back(b.variables.get(name).current);
  return b;
}

void GraphReader::add_if(const Operator& op) {
  Choice c{choice_name(op), {}, {}, {}, op.outputs.size(), false};
  for (const std::string_view side : {"then", "else"}) {
    c.graphs.push_back(called(op, text(side, "_subgraph_index")));
    c.sides.emplace_back(side);
  }
  add_choice(op, c);
}

// By a number from 0 on; any other stands for the last one.
void GraphReader::add_case(const Operator& op) {
  require(op.options != nullptr, "it has no options");
  const auto* options = options_as<format::StablehloCaseOptions>(op);
  Choice c{
      choice_name(op), list_of<int64_t>(options->branch_subgraph_indices()), {}, {}, op.outputs.size(), true};
  require(!c.graphs.empty(), "it has no branches");
  require(c.graphs.size() <= static_cast<size_t>(TfliteModel::deepest_call), "it has ", c.graphs.size(),
          " branches; up to ", TfliteModel::deepest_call, " are converted");
  for (size_t k = 0; k < c.graphs.size(); ++k) c.sides.push_back(text("branch_", k));
  add_choice(op, c);
}

std::string GraphReader::choice_name(const Operator& op) const {
  return op.outputs.empty() || op.outputs[0] < 0 ? text(prefix_, op.code->op) : name_of(op.outputs[0]);
}

void GraphReader::add_choice(const Operator& op, Choice& c) {
  const std::vector<Argument> arguments = arguments_of(op, 1);
  std::vector<std::string> prefixes;
  for (const std::string& side : c.sides) prefixes.push_back(text(c.name, '/', side, '/'));
  c.carried = carried_by(c.graphs, prefixes, arguments);
  const std::vector<OutPort> outputs =
      c.graphs.size() == 1
          ? inlined(c.graphs[0], arguments, graph_, text(c.name, '/', c.sides[0]), variables_)
          : chosen(c, 0, c.name, input_of(op, 0), arguments);
  require(outputs.size() == c.outputs, "the sub-graph of '", c.sides[0], "' has ", outputs.size(),
          " outputs, expected ", c.outputs);
  for (size_t i = 0; i < outputs.size(); ++i) define_result(op, i, outputs[i]);
}

// An If between a branch and the rest, which is the last branch or an If again.
std::vector<OutPort> GraphReader::chosen(const Choice& c, size_t first, const std::string& name,
                                         const OutPort& selector, std::vector<Argument> arguments) {
  const bool more = first + 2 < c.graphs.size();
  const OutPort condition = c.by_number ? equals(selector, static_cast<int64_t>(first), name) : selector;
  for (const std::string& variable : c.carried) arguments.push_back({current_value(variable), {}});
  std::vector<mo_port> inputs{condition.abi()};
  std::vector<Argument> otherwise = arguments;
  if (more) {
    otherwise.insert(otherwise.begin(), {selector, {}});
    if (!selector.value()) inputs.push_back(selector.abi());
  }
  const size_t from = inputs.size();
  for (const Argument& a : arguments)
    if (a.port && !a.port.value()) inputs.push_back(a.port.abi());

  const auto branch = [&](size_t k) {
    return [this, &c, k](GraphReader& r, const std::vector<Argument>& a) {
      std::vector<OutPort> outputs = r.read_call(callee(c.graphs[k]), a);
      require(outputs.size() == c.outputs, "the sub-graph of '", c.sides[k], "' has ", outputs.size(),
              " outputs, expected ", c.outputs);
      return outputs;
    };
  };
  const auto rest = [&](GraphReader& r, std::vector<Argument> a) {
    const OutPort number = a.front().port;
    a.erase(a.begin());
    return r.chosen(c, first + 1, text(name, "/else"), number, std::move(a));
  };
  const std::vector<bool> varies(otherwise.size(), false);
  const std::array<std::string, 2> names{text(c.name, '/', c.sides[first]),
                                         more ? text(name, "/else") : text(c.name, '/', c.sides[first + 1])};
  const std::array bodies{
      body(arguments, names[0], varies, c.carried, branch(first)),
      body(otherwise, names[1], varies, c.carried, more ? ReadBody(rest) : branch(first + 1))};
  // Variables that only one of them assigns come out of both.
  std::vector<size_t> kept;
  for (size_t i = 0; i < c.outputs + c.carried.size(); ++i) {
    const auto assigns = [&](const Body& b) { return b.outputs[i] != b.entered[i - c.outputs]; };
    if (i < c.outputs || std::any_of(bodies.begin(), bodies.end(), assigns)) kept.push_back(i);
  }
  const Node n(c_, create("If", name, inputs, static_cast<uint32_t>(kept.size()), 0));
  n.set_op("If", "opset8");
  for (size_t k = 0; k < bodies.size(); ++k) {
    // The number that selects is an input of the rest only.
    BodyBuilder side(bodies[k].graph, std::vector<OutPort>(more && k == 1 ? 1 : from));
    for (const OutPort& p : bodies[k].parameters)
      if (p) side.take(p, {});
    for (size_t at = 0; at < kept.size(); ++at)
      side.out(text("result_", kept[at]), bodies[k].outputs[kept[at]], static_cast<int64_t>(at));
    side.set(n, k == 0 ? "then_" : "else_");
  }
  std::vector<OutPort> outputs;
  for (size_t at = 0; at < kept.size(); ++at) {
    if (kept[at] < c.outputs)
      outputs.push_back(n.out_port(at));
    else
      keep_variable(c.carried[kept[at] - c.outputs], n.out_port(at));
  }
  return outputs;
}

OutPort GraphReader::equals(const OutPort& number, int64_t value, std::string_view name) {
  const OutPort constant =
      graph_.create_const(text(name, "/number"), Tensor::filled(c_, number.type(), {double(value)}, {}))
          .out_port();
  return graph_.create_node("Equal", "opset1", text(name, "/condition"), {number, constant}).out_port();
}

void GraphReader::keep_variable(const std::string& variable, const OutPort& value) {
  Variables::Variable& v = variables_.get(variable);
  value.set_shape(v.type, v.shape);
  v.current = value;
  v.is_assigned = true;
}

void GraphReader::add_while(const Operator& op) {
  std::vector<Argument> arguments = arguments_of(op, 0);
  const size_t count = arguments.size();
  require(op.outputs.size() == count, "it has ", count, " inputs but ", op.outputs.size(), " outputs");
  const int64_t condition = called(op, "cond_subgraph_index"), step = called(op, "body_subgraph_index");
  const SubGraph& g = model_.sub_graph(step);
  require(g.inputs.size() == count && g.outputs.size() == count, "its body has ", g.inputs.size(),
          " inputs and ", g.outputs.size(), " outputs, expected ", count);
  // What the body hands on as it is does not vary.
  std::vector<bool> varies(count);
  for (size_t i = 0; i < count; ++i) varies[i] = g.inputs[i] != g.outputs[i] && arguments[i].port;
  const std::string name = count == 0 || op.outputs[0] < 0 ? text(prefix_, "WHILE") : name_of(op.outputs[0]);

  const auto test = [&](const std::vector<Argument>& of, Graph into, const char* what, Variables& variables) {
    const auto results = inlined(condition, of, into, text(name, '/', what), variables);
    require(results.size() == 1, "its condition has ", results.size(), " outputs, expected 1");
    return results[0];
  };
  const std::vector<std::string> carried =
      carried_by({step, condition}, {text(name, "/body/"), {}}, arguments);
  const OutPort first = test(arguments, graph_, "first", variables_);
  for (const std::string& variable : carried) arguments.push_back({current_value(variable), {}});
  varies.resize(arguments.size(), true);
  Body b = body(arguments, text(name, "/body"), varies, carried,
                [&](GraphReader& r, const std::vector<Argument>& a) { return r.read_call(callee(step), a); });
  std::vector<Argument> later;
  for (size_t i = 0; i < count; ++i) later.push_back({b.outputs[i], arguments[i].variable});
  const OutPort next = test(later, b.graph, "next", b.variables);
  for (size_t i = count; i < arguments.size(); ++i) varies[i] = b.outputs[i] != b.entered[i - count];

  const OutPort limit = graph_.create_int(text(name, "/limit"), -1).out_port();
  BodyBuilder loop(b.graph, {limit, first});
  loop.condition(next);
  std::vector<std::optional<uint32_t>> place(arguments.size());  // outputs
  uint32_t outputs = 0;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!b.parameters[i]) continue;
    loop.take(b.parameters[i], arguments[i].port);
    if (!varies[i]) continue;
    place[i] = outputs++;
    loop.next(loop.out(text("result_", i), b.outputs[i], *place[i]), b.parameters[i]);
  }
  std::vector<mo_port> inputs;
  for (const OutPort& p : loop.inputs()) inputs.push_back(p.abi());
  const Node n(c_, create("Loop", name, inputs, outputs, 0));
  n.set_op("Loop", "opset5");
  loop.set(n);
  for (size_t i = 0; i < count; ++i) {
    const int32_t tensor = op.outputs[i];
    if (tensor < 0) continue;
    if (!arguments[i].port)
      handles_[static_cast<size_t>(tensor)] = arguments[i].variable;
    else if (!place[i])
      define(tensor, arguments[i].port);
    else
      define_result(op, i, n.out_port(*place[i]));
  }
  for (size_t i = count; i < arguments.size(); ++i)
    if (place[i]) keep_variable(carried[i - count], n.out_port(*place[i]));
}

void GraphReader::add_composite(const Operator& op) {
  const auto results =
      inlined(called(op, "decomposition_subgraph_index"), arguments_of(op, 0), graph_,
              op.outputs.empty() || op.outputs[0] < 0 ? text(prefix_, "composite") : name_of(op.outputs[0]),
              variables_);
  require(results.size() == op.outputs.size(), "its decomposition has ", results.size(),
          " outputs, expected ", op.outputs.size());
  for (size_t i = 0; i < results.size(); ++i)
    if (op.outputs[i] >= 0) {
      if (prefix_.empty()) results[i].set_tensor_names(names_of(op.outputs[i], {}));
      define(op.outputs[i], results[i]);
    }
}

// Runs before anything else, when the model is loaded.
void GraphReader::add_call_once(const Operator& op) {
  require(!is_body(), "it runs once, but stands in a body");
  const bool before = std::exchange(variables_.initializing, true);
  const auto results =
      inlined(called(op, "init_subgraph_index"), {}, graph_, text(prefix_, "init"), variables_);
  variables_.initializing = before;
  require(results.empty(), "its sub-graph has ", results.size(), " outputs, expected none");
}

}  // namespace mo::tflite
