// Operators that run other graphs: cond becomes If, while_loop Loop, map and scan TensorIterator. What only
// changes how autograd works is its graph.
#include "loader/graph_reader.hpp"

#include <mo/bodies.hpp>

#include <array>

namespace mo::pytorch {

namespace {

std::vector<Value> arguments_in(const Value& node) {
  std::vector<Value> list;
  node.at("inputs").each([&](const Value& i) { list.push_back(i.at("arg")); });
  return list;
}

Value graph_in(const std::vector<Value>& arguments, size_t i) {
  require(i < arguments.size() && arguments[i]["as_graph"], "argument ", i, " is no graph");
  return arguments[i]["as_graph"].at("graph");
}

Value argument(const std::vector<Value>& arguments, size_t i) {
  require(i < arguments.size(), "it has ", arguments.size(), " arguments");
  return arguments[i];
}

}  // namespace

void GraphReader::add_higher_order(const Value& node, const Target& target) {
  const std::string_view op = target.base();
  if (op == "cond")
    add_cond(node);
  else if (op == "while_loop")
    add_while(node);
  else if (op == "map_impl" || op == "map")
    add_steps(node, false);
  else if (op == "scan")
    add_steps(node, true);
  else if (op.starts_with("wrap") || op == "invoke_subgraph" || op == "tag_activation_checkpoint" ||
           op == "hints_wrapper" || op == "strict_mode" || op == "run_const_graph")
    require(add_inlined(node), "it has no graph");
  else if (op.starts_with("auto_functionalized"))
    fail("it calls an operator of its own that writes into what it reads; write it as one that returns what ",
         "it changes");
  else
    fail("the higher-order operator '", op, "' is not converted; cond, while_loop, map and scan are");
}

// Tensors and computed numbers; numbers that the export has fixed become constants.
std::vector<OutPort> GraphReader::operands_of(const Value& argument) {
  std::vector<OutPort> list;
  const auto [kind, v] = argument.only();
  const auto number = [&](int64_t n) {
    list.push_back(graph_.create_int(text(prefix_, "number"), n).out_port());
  };
  if (kind == "as_tensors")
    v.each([&](const Value& t) { list.push_back(current(slot_of(t.at("name").word()))); });
  else if (kind == "as_optional_tensors")
    v.each([&](const Value& t) { list.push_back(value_of(t)); });
  else if (kind == "as_sym_ints")
    v.each([&](const Value& t) {
      if (t["as_name"])
        list.push_back(current(slot_of(t["as_name"].word())));
      else
        number(t.at("as_int").integer());
    });
  else if (kind == "as_ints")
    v.each([&](const Value& t) { number(t.integer()); });
  else if (kind == "as_int")
    number(v.integer());
  else if (const OutPort p = value_of(argument))
    list.push_back(p);
  else
    fail("an operand is of kind '", kind, "'; expected tensors and integers");
  for (const OutPort& p : list) require(static_cast<bool>(p), "an operand is None");
  return list;
}

std::vector<OutPort> GraphReader::read_graph(const Value& graph, const std::vector<OutPort>& operands) {
  begin(graph);
  size_t i = 0;
  graph.at("inputs").each([&](const Value& input) {
    const auto [kind, v] = input.only();
    require(i < operands.size(), "its graph has more inputs than operands");
    Result r;
    if (kind == "as_tensor") {
      r = tensor_result(v.at("name").word());
    } else if (v["as_name"]) {
      r.name = v["as_name"].word();
      r.type = operands[i].type();
      r.shape = Shape();
      r.is_number = true;
    }
    define(r, operands[i++]);
  });
  require(i == operands.size(), "its graph has ", i, " inputs, but there are ", operands.size(), " operands");
  add_nodes(graph);
  std::vector<OutPort> outputs;
  graph.at("outputs").each([&](const Value& output) {
    const auto [kind, v] = output.only();
    if (kind == "as_int")
      outputs.push_back(graph_.create_int(text(prefix_, "number"), v.integer()).out_port());
    else
      outputs.push_back(value_of(output));
    require(static_cast<bool>(outputs.back()), "a result of its graph is of kind '", kind, "'");
  });
  return outputs;
}

// Constants that do not vary are constants of the body: what reads them may need their values.
GraphReader::Body GraphReader::body(const std::string& name, const std::vector<OutPort>& operands,
                                    const std::vector<bool>& varies, const ReadBody& read) {
  Body b{graph_.create_sub_graph(name), {}, {}};
  std::vector<OutPort> inside;
  for (size_t i = 0; i < operands.size(); ++i) {
    const OutPort& from = operands[i];
    b.parameters.emplace_back();
    if (const auto value = from.value(); value && !varies[i]) {
      inside.push_back(b.graph.create_const(text("argument_", i), *value).out_port());
      continue;
    }
    const Node p = b.graph.create_node("Parameter", "opset1", text("argument_", i));
    p.set("element_type", from.type());
    const Shape s = from.shape();
    p.out_port().set_shape(from.type(), s.has_rank() ? Shape::of_rank(s.size()) : s);
    b.parameters.back() = p.out_port();
    inside.push_back(p.out_port());
  }
  GraphReader reader(c_, model_, b.graph);
  b.outputs = read(reader, inside);
  return b;
}

void GraphReader::define_results(const Value& node, const std::vector<OutPort>& ports) {
  const std::vector<Result> results = results_of(node);
  require(results.size() <= ports.size(), "it has ", results.size(), " results, but its graph makes ",
          ports.size());
  for (size_t i = 0; i < results.size(); ++i) {
    if (scope_ == main_scope_ && !results[i].name.empty())
      ports[i].set_tensor_names({std::string(results[i].name)});
    ports[i].set_shape(results[i].type, known_rank(results[i]));
    define(results[i], ports[i]);
  }
}

// cond(condition, true, false, operands)
void GraphReader::add_cond(const Value& node) {
  const std::vector<Value> arguments = arguments_in(node);
  const auto condition = operands_of(argument(arguments, 0));
  require(condition.size() == 1, "its condition is no number");
  const std::vector<OutPort> operands = operands_of(argument(arguments, 3));
  const std::string name = node_name(node, results_of(node));
  const std::vector<bool> varies(operands.size(), false);
  std::vector<OutPort> inputs{condition[0]};
  for (const OutPort& o : operands)
    if (!o.value()) inputs.push_back(o);
  std::array<Body, 2> bodies;
  for (size_t k = 0; k < 2; ++k) {
    const Value graph = graph_in(arguments, k + 1);
    bodies[k] = body(text(name, k == 0 ? "/then" : "/else"), operands, varies,
                     [&](GraphReader& r, const auto& inside) { return r.read_graph(graph, inside); });
  }
  const size_t count = bodies[0].outputs.size();
  require(count == bodies[1].outputs.size(), "its branches have ", count, " and ", bodies[1].outputs.size(),
          " results");
  model_.charge(count);
  const Node n = graph_.create_node("If", "opset8", name, inputs, static_cast<uint32_t>(count));
  for (size_t k = 0; k < 2; ++k) {
    BodyBuilder side(bodies[k].graph, {OutPort()});
    for (const OutPort& p : bodies[k].parameters)
      if (p) side.take(p, {});
    for (size_t i = 0; i < count; ++i)
      side.out(text("result_", i), bodies[k].outputs[i], static_cast<int64_t>(i));
    side.set(n, k == 0 ? "then_" : "else_");
  }
  define_results(node, n.out_ports());
}

// while_loop(condition, body, what varies, what does not)
void GraphReader::add_while(const Value& node) {
  const std::vector<Value> arguments = arguments_in(node);
  const Value condition = graph_in(arguments, 0), step = graph_in(arguments, 1);
  std::vector<OutPort> operands = operands_of(argument(arguments, 2));
  const size_t count = operands.size();
  if (arguments.size() > 3)
    for (const OutPort& p : operands_of(arguments[3])) operands.push_back(p);
  std::vector<bool> varies(operands.size(), false);
  std::fill_n(varies.begin(), count, true);
  const std::string name = node_name(node, results_of(node));

  const auto test = [&](const Graph& into, const std::vector<OutPort>& of, std::string_view what) {
    const auto results = GraphReader(c_, model_, into, text(name, '/', what, '/')).read_graph(condition, of);
    require(results.size() == 1, "its condition has ", results.size(), " results");
    return results[0];
  };
  const OutPort first = test(graph_, operands, "first");
  Body b = body(text(name, "/body"), operands, varies, [&](GraphReader& r, const auto& inside) {
    std::vector<OutPort> made = r.read_graph(step, inside);
    require(made.size() == count, "its body has ", made.size(), " results, expected ", count);
    std::vector<OutPort> later = made;
    later.insert(later.end(), inside.begin() + static_cast<std::ptrdiff_t>(count), inside.end());
    made.push_back(test(r.graph_, later, "next"));
    return made;
  });
  const OutPort limit = graph_.create_int(text(name, "/limit"), -1).out_port();
  BodyBuilder loop(b.graph, {limit, first});
  loop.condition(b.outputs.back());
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!b.parameters[i]) continue;
    loop.take(b.parameters[i], operands[i]);
    if (i < count)
      loop.next(loop.out(text("result_", i), b.outputs[i], static_cast<int64_t>(i)), b.parameters[i]);
  }
  model_.charge(count);
  const Node n = graph_.create_node("Loop", "opset5", name, loop.inputs(), static_cast<uint32_t>(count));
  loop.set(n);
  define_results(node, n.out_ports());
}

// map(body, lists, others): the body sees one element of each list.
// scan(body, states, lists, others): and gives the next states. Older releases have an axis and a direction
// behind the lists.
void GraphReader::add_steps(const Value& node, bool carries) {
  const std::vector<Value> arguments = arguments_in(node);
  const Value step = graph_in(arguments, 0);
  size_t at = 1;
  std::vector<OutPort> operands;
  if (carries) operands = operands_of(argument(arguments, at++));
  const size_t states = operands.size();
  for (const OutPort& p : operands_of(argument(arguments, at++))) operands.push_back(p);
  const size_t lists = operands.size() - states;
  require(lists != 0, "it has no list to go through");
  bool reversed = false;
  for (; at < arguments.size(); ++at) {
    const auto [kind, v] = arguments[at].only();
    if (carries && kind == "as_bool")
      reversed = v.truth();
    else if (carries && kind == "as_int")
      require(v.integer() == 0, "it goes through dimension ", v.integer(),
              "; export it with torch 2.7 or later");
    else if (kind != "as_none")
      for (const OutPort& p : operands_of(arguments[at])) operands.push_back(p);
  }
  const std::string name = node_name(node, results_of(node));
  std::vector<bool> varies(operands.size(), false);
  std::fill_n(varies.begin(), states + lists, true);
  const Slices slices{0, reversed};
  const Body b =
      body(text(name, "/body"), operands, varies, [&](GraphReader& r, std::vector<OutPort> inside) {
        const auto on_axis = [&](std::string_view op, const OutPort& x, const Shape& shape) {
          const OutPort axis = r.graph_.create_ints(text(op, "_axis"), {0}).out_port();
          const OutPort y = r.graph_.create_node(op, "opset1", text(name, '/', op), {x, axis}).out_port();
          y.set_shape(x.type(), shape);
          return y;
        };
        for (size_t i = states; i < states + lists; ++i) {
          const Shape s = inside[i].shape();
          inside[i] = on_axis("Squeeze", inside[i],
                              s.has_rank() && !s.empty() ? Shape::of_rank(s.size() - 1) : Shape::unknown());
        }
        std::vector<OutPort> made = r.read_graph(step, inside);
        require(made.size() >= states, "its graph has ", made.size(), " results of ", states, " states");
        for (size_t i = states; i < made.size(); ++i) {
          const Shape s = made[i].shape();
          made[i] = on_axis("Unsqueeze", made[i], s.has_rank() ? Shape::of_rank(s.size() + 1) : s);
        }
        return made;
      });
  BodyBuilder loop(b.graph);
  std::vector<OutPort> inputs;  // those of the body are its Parameters, in the same order
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!b.parameters[i]) continue;
    const bool sliced = i >= states && i < states + lists;
    const auto port = static_cast<int64_t>(inputs.size());
    loop.connect(input_entry(port, port, sliced ? std::optional(slices) : std::nullopt));
    inputs.push_back(operands[i]);
  }
  for (size_t i = 0; i < b.outputs.size(); ++i) {
    const auto port = static_cast<int64_t>(i);
    if (i < states)
      loop.next(loop.out(text("result_", i), b.outputs[i], port), port);
    else
      loop.out(text("result_", i), b.outputs[i], port, slices);
  }
  model_.charge(b.outputs.size());
  const Node n =
      graph_.create_node("TensorIterator", "opset1", name, inputs, static_cast<uint32_t>(b.outputs.size()));
  loop.set(n);
  define_results(node, n.out_ports());
}

// The graph is read where it stands, so that what it writes into its operands is seen outside.
bool GraphReader::add_inlined(const Value& node) {
  Value graph;
  std::vector<size_t> operands;
  for (const Value& a : arguments_in(node)) {
    const auto [kind, v] = a.only();
    if (kind == "as_graph") {
      graph = v.at("graph");
      operands.clear();
    } else if (!graph) {
      continue;
    } else if (kind == "as_tensor") {
      operands.push_back(slot_of(v.at("name").word()));
    } else if (kind == "as_tensors") {
      v.each([&](const Value& t) { operands.push_back(slot_of(t.at("name").word())); });
    } else if (kind == "as_sym_int" && v["as_name"]) {
      operands.push_back(slot_of(v["as_name"].word()));
    } else if (kind == "as_int") {
      Result r;
      operands.push_back(define(r, graph_.create_int(text(prefix_, "number"), v.integer()).out_port()));
    }
  }
  if (!graph) return false;
  const std::vector<Result> results = results_of(node);
  const std::vector<size_t> made = read_inlined(graph, operands);
  require(results.size() <= made.size(), "it has ", results.size(), " results, but its graph makes ",
          made.size());
  for (size_t i = 0; i < results.size(); ++i)
    if (!results[i].name.empty()) {
      give_name(results[i].name, made[i]);
      if (scope_ == main_scope_) {
        const OutPort port = current(made[i]);
        if (port.tensor_names().empty()) port.set_tensor_names({std::string(results[i].name)});
      }
    }
  return true;
}

std::vector<size_t> GraphReader::read_inlined(const Value& graph, const std::vector<size_t>& operands) {
  const std::shared_ptr<Scope> outer = scope_;
  begin(graph);
  size_t i = 0;
  graph.at("inputs").each([&](const Value& input) {
    const auto [kind, v] = input.only();
    const Value name = v["name"] ? v["name"] : v["as_name"];
    require(i < operands.size() && name, "its graph has more inputs than operands");
    give_name(name.word(), operands[i++]);
  });
  add_nodes(graph);
  std::vector<size_t> made;
  graph.at("outputs").each([&](const Value& output) {
    const auto [kind, v] = output.only();
    const Value name = v["name"] ? v["name"] : v["as_name"];
    require(static_cast<bool>(name), "a result of its graph is of kind '", kind, "'");
    made.push_back(slot_of(name.word()));
  });
  scope_ = outer;
  return made;
}

}  // namespace mo::pytorch
