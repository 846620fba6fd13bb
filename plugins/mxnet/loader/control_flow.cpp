// Operators with sub-graphs: _foreach becomes a TensorIterator, _while_loop a Loop, _cond an If. What depends
// on shapes, which a symbol does not have, is left to operators of this plugin: front/control_flow.cpp.
#include <mo/bodies.hpp>

#include "loader/attributes.hpp"
#include "loader/graph_reader.hpp"

#include <algorithm>

namespace mo::mxnet {

namespace {

using Places = std::vector<int64_t>;
using Ports = std::vector<OutPort>;

// Attribute `name`, each number of which is one of `count` places.
Places places_of(const SymbolNode& n, std::string_view name, size_t count) {
  const auto list = integers_of(n.text(name));
  require(list.has_value(), "attribute '", name, "' is '", n.text(name), "'; expected a list of numbers");
  for (const int64_t p : *list)
    require(p >= 0 && p < static_cast<int64_t>(count), "attribute '", name, "' is ", *list,
            ", but there are ", count, " inputs");
  return *list;
}

size_t number_of(const SymbolNode& n, std::string_view name, size_t least) {
  const auto list = integers_of(n.text(name));
  require(
      list && list->size() == 1 && list->front() >= static_cast<int64_t>(least) && list->front() <= INT32_MAX,
      "attribute '", name, "' is '", n.text(name), "'; expected a number from ", least, " on");
  return static_cast<size_t>(list->front());
}

template <class T>
std::vector<T> picked(const std::vector<T>& all, const Places& places) {
  std::vector<T> list;
  for (const int64_t p : places) list.push_back(all[static_cast<size_t>(p)]);
  return list;
}

void require_heads(const Symbol& s, size_t count, std::string_view what) {
  require(s.heads.size() == count, what, " has ", s.heads.size(), " outputs; expected ", count);
}

OutPort truth(const Graph& g, const OutPort& x) {
  return g.create_node("mxnet.condition", "", x.node().name() + "/condition", {x}).out_port();
}

OutPort stacked(const Graph& g, const OutPort& x, size_t i) {
  const std::string name = text("step_", i);
  return g.create_node("Unsqueeze", "opset1", name, {x, g.create_int(name + "/axis", 0).out_port()})
      .out_port();
}

constexpr std::optional<Slices> step_slices = Slices{};

// A Result with head i: the first `parts` are collected one behind the other.
int64_t add_head(BodyBuilder& body, const Ports& heads, size_t i, size_t parts) {
  const auto port = static_cast<int64_t>(i);
  if (i >= parts) return body.out("out_", heads[i], port);
  return body.out("out_", stacked(body.graph(), heads[i], i), port, step_slices);
}

// Inputs of an operation that its bodies read.
class Inputs {
 public:
  // `first`: what the operation itself reads. `shared`: several bodies read one input.
  explicit Inputs(Ports first, bool shared = false)
      : ports_(std::move(first)), own_(ports_.size()), shared_(shared) {}
  // `from` in a body: constants are there themselves.
  OutPort in(BodyBuilder& body, const OutPort& from) {
    if (const auto value = from.value())
      return body.graph().create_const(from.node().name(), *value).out_port();
    const auto same = std::find(ports_.begin() + static_cast<std::ptrdiff_t>(own_), ports_.end(), from);
    if (!shared_ || same == ports_.end()) return varying(body, from, {});
    return body.parameter("in_", static_cast<size_t>(same - ports_.begin()), ElementType::f32);
  }
  // What may change from one iteration to the next.
  OutPort varying(BodyBuilder& body, const OutPort& from, std::optional<Slices> slices) {
    ports_.push_back(from);
    return body.parameter("in_", ports_.size() - 1, ElementType::f32, slices);
  }
  const Ports& ports() const { return ports_; }

 private:
  Ports ports_;
  size_t own_;
  bool shared_;
};

}  // namespace

bool GraphReader::add_control_flow(size_t node) {
  struct Kind {
    std::string_view op;
    size_t sub_graphs;
    void (GraphReader::*add)(size_t);
  };
  const Kind kinds[] = {{"foreach", 1, &GraphReader::add_foreach},
                        {"while_loop", 2, &GraphReader::add_while},
                        {"cond", 3, &GraphReader::add_cond}};
  const SymbolNode& n = symbol_.nodes[node];
  for (const Kind& k : kinds) {
    if (n.op != text('_', k.op) && n.op != text("_npx_", k.op)) continue;
    require(n.sub_graphs.size() == k.sub_graphs, n.op, " has ", n.sub_graphs.size(), " sub-graphs; expected ",
            k.sub_graphs);
    (this->*k.add)(node);
    return true;
  }
  return false;
}

void GraphReader::set_outputs(size_t node, const Ports& outputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    outputs[i].set_shape(ElementType::f32, Shape::unknown());
    if (prefix_.empty()) outputs[i].set_tensor_names({text(symbol_.nodes[node].name, ':', i)});
    ports_[node].push_back(outputs[i].abi());
  }
}

void GraphReader::add_foreach(size_t node) {
  const SymbolNode& n = symbol_.nodes[node];
  const Symbol& step = n.sub_graphs[0];
  const std::string name = name_of(n);
  const Ports from = inputs_of(n);
  const Places data = places_of(n, "in_data_locs", from.size()),
               states = places_of(n, "in_state_locs", from.size());
  const size_t first_rest = data.size() + states.size(), parts = number_of(n, "num_out_data", 0);
  Places all = data;
  all.insert(all.end(), states.begin(), states.end());
  for (const int64_t p : places_of(n, "remain_locs", from.size())) all.push_back(p);
  require(!data.empty() && all.size() == from.size(),
          "attributes 'in_data_locs', 'in_state_locs' and 'remain_locs' have ", all.size(), " places for ",
          from.size(), " inputs");
  require_heads(step, parts + states.size(), "its sub-graph");

  BodyBuilder body(graph_.create_sub_graph(name + "/body"));
  Inputs inputs({});
  Ports variables(from.size());
  for (size_t i = 0; i < from.size(); ++i) {
    OutPort& to = variables[static_cast<size_t>(all[i])];
    require(!to, "two inputs have place ", all[i], " in its sub-graph");
    to = i < first_rest ? inputs.varying(body, from[i], i < data.size() ? step_slices : std::nullopt)
                        : inputs.in(body, from[i]);
    if (i < data.size())
      to = body.graph().create_node("mxnet.foreach_step", "", text("slice_", i), {to}).out_port();
  }
  const Ports heads = part(step, variables, body.graph(), name + "/body/");
  for (size_t i = 0; i < heads.size(); ++i) {
    const int64_t result = add_head(body, heads, i, parts);
    if (i >= parts) body.next(result, static_cast<int64_t>(data.size() + i - parts));
  }
  const Node made = graph_.create_node("TensorIterator", "opset1", name, inputs.ports(),
                                       static_cast<uint32_t>(heads.size()));
  body.set(made);
  set_outputs(node, made.out_ports());
}

void GraphReader::add_while(size_t node) {
  const SymbolNode& n = symbol_.nodes[node];
  const Symbol &test = n.sub_graphs[0], &step = n.sub_graphs[1];
  const std::string name = name_of(n);
  const Ports from = inputs_of(n);
  const Places of_test = places_of(n, "cond_input_locs", from.size()),
               of_step = places_of(n, "func_input_locs", from.size()),
               variables = picked(of_step, places_of(n, "func_var_locs", of_step.size()));
  const size_t parts = number_of(n, "num_out_data", 0), most = number_of(n, "max_iterations", 1);
  require_heads(test, 1, "its condition");
  require_heads(step, parts + variables.size(), "its sub-graph");

  const OutPort limit = graph_.create_int(name + "/max_iterations", static_cast<int64_t>(most)).out_port();
  const OutPort first = truth(graph_, part(test, picked(from, of_test), graph_, name + "/first/")[0]);
  BodyBuilder body(graph_.create_sub_graph(name + "/body"));
  Inputs inputs({limit, first});
  Ports inside(from.size()), next(from.size());
  for (const int64_t v : variables) {
    OutPort& to = inside[static_cast<size_t>(v)];
    require(!to, "two variables of the loop are input ", v);
    to = inputs.varying(body, from[static_cast<size_t>(v)], {});
  }
  for (size_t i = 0; i < from.size(); ++i)
    if (!inside[i]) inside[i] = inputs.in(body, from[i]);
  const Ports heads = part(step, picked(inside, of_step), body.graph(), name + "/body/");
  next = inside;
  for (size_t i = 0; i < variables.size(); ++i) next[static_cast<size_t>(variables[i])] = heads[parts + i];
  body.condition(truth(body.graph(), part(test, picked(next, of_test), body.graph(), name + "/next/")[0]));
  for (size_t i = 0; i < heads.size(); ++i) {
    const int64_t result = add_head(body, heads, i, parts);
    if (i >= parts) body.next(result, inside[static_cast<size_t>(variables[i - parts])]);
  }
  const Node made =
      graph_.create_node("Loop", "opset5", name, inputs.ports(), static_cast<uint32_t>(heads.size()));
  body.set(made);
  Ports outputs = made.out_ports();
  // As many steps as there can be, also where the loop ends before.
  for (size_t i = 0; i < parts; ++i)
    outputs[i] =
        graph_.create_node("mxnet.all_steps", "", text(name, "/steps_", i), {outputs[i], limit}).out_port();
  set_outputs(node, outputs);
}

void GraphReader::add_cond(size_t node) {
  const SymbolNode& n = symbol_.nodes[node];
  const std::string name = name_of(n);
  const Ports from = inputs_of(n);
  const Places of_test = places_of(n, "cond_input_locs", from.size());
  require_heads(n.sub_graphs[0], 1, "its condition");
  const size_t count = n.sub_graphs[1].heads.size();
  const OutPort test = part(n.sub_graphs[0], picked(from, of_test), graph_, name + "/condition/")[0];
  Inputs inputs({truth(graph_, test)}, true);
  std::vector<BodyBuilder> bodies;
  for (size_t k = 0; k < 2; ++k) {
    const std::string_view side = k == 0 ? "then" : "else";
    const Symbol& branch = n.sub_graphs[1 + k];
    require_heads(branch, count, text("the branch '", side, '\''));
    BodyBuilder& body = bodies.emplace_back(graph_.create_sub_graph(text(name, '/', side)));
    Ports variables;
    for (const OutPort& p : picked(from, places_of(n, text(side, "_input_locs"), from.size())))
      variables.push_back(inputs.in(body, p));
    const Ports heads = part(branch, variables, body.graph(), text(name, '/', side, '/'));
    for (size_t i = 0; i < count; ++i) body.out("out_", heads[i], static_cast<int64_t>(i));
  }
  const Node made = graph_.create_node("If", "opset8", name, inputs.ports(), static_cast<uint32_t>(count));
  bodies[0].set(made, "then_");
  bodies[1].set(made, "else_");
  set_outputs(node, made.out_ports());
}

}  // namespace mo::mxnet
