#include "core/convert/cut.hpp"

namespace mo::core {

namespace {

// Any one of the model's nodes says which operation set the graph's own words are from.
std::string own_opset(const Graph& g) {
  for (auto list : {g.parameters(), g.results()})
    if (!list.empty()) return std::string(g.opset(list.front()));
  return "opset1";
}

// The tensor that a Parameter at this place stands for; none for an unconnected in-port.
PortRef tensor_at(const Graph& g, const Place& p) {
  return p.kind == Place::Kind::in ? g.source(p.ref()) : p.ref();
}

// A node as a whole means its one input that is not a constant.
Place in_port_of(const Graph& g, const InputSpec& spec, NodeId n) {
  const NodeRecord& r = g.node(n);
  std::vector<uint32_t> candidates;
  for (uint32_t i = 0; i < r.inputs.size(); ++i)
    if (!r.inputs[i].source || !g.is_const(r.inputs[i].source.node)) candidates.push_back(i);
  if (candidates.size() == 1) return {Place::Kind::in, n, candidates.front()};
  if (r.inputs.size() == 1) return {Place::Kind::in, n, 0};
  if (r.inputs.empty())
    throw Failure(Exit::usage, "MO0303", text("--input: node ", describe(g, n), " has no inputs to cut at"))
        .with("hint", text("write ", spec.name, ":0 to replace its output"));
  throw Failure(Exit::usage, "MO0305",
                text("--input: node ", describe(g, n), " has ", r.inputs.size(), " inputs, so '", spec.name,
                     "' is ambiguous"))
      .with("hint",
            text("name a port: 0:", spec.name, " is its first input, ", spec.name, ":0 its first output"));
}

std::string placeholder_name(const Graph& g, const Place& p) {
  return text(g.name(p.node), p.kind == Place::Kind::in ? "/placeholder_port_" : "/placeholder_out_port_",
              p.port);
}

NodeId add_parameter(Graph& g, const Place& p, ElementType type, const Shape& shape) {
  const bool in = p.kind == Place::Kind::in;
  const PortRef old = tensor_at(g, p);
  const NodeId n = g.add_node(words::parameter, own_opset(g), placeholder_name(g, p), 0, 1);
  set_parameter(g, n, type, shape);
  if (in)
    g.connect({n, 0}, p.ref());
  else
    g.set_source(p.ref(), {n, 0}, NamesMode::dest);
  // Whoever knew the tensor by its name finds it here when nothing else reads it.
  if (in && old && g.out(old).destinations == 0) {
    g.set_tensor_names({n, 0}, g.out(old).names);
    g.set_tensor_names(old, {});
  }
  if (g.out({n, 0}).names.empty()) g.set_tensor_names({n, 0}, {g.symbols().intern(g.name(n))});
  return n;
}

void freeze(Graph& g, const InputSpec& spec, NodeId parameter) {
  const TensorState known = g.out({parameter, 0}).tensor;
  const std::string name(g.name(parameter));
  const NodeId c =
      g.add_const(text(name, "/frozen"), spec.frozen->tensor(known.type, known.shape, spec.name));
  g.set_source({parameter, 0}, {c, 0}, NamesMode::dest);
  g.remove_node(parameter);
  g.rename(c, name);
}

bool is_parameter(const Graph& g, NodeId n) { return g.node(n).op == g.space().parameter; }

struct Located {
  InputSpec spec;
  Place place;
};

bool same_place(const Place& a, const Place& b) {
  return a.kind == b.kind && a.node == b.node && a.port == b.port;
}

// The Parameter that a lone shape is for: the only one that is not frozen.
NodeId only_parameter(const Graph& g, const std::vector<Located>& frozen) {
  std::vector<NodeId> all(g.parameters().begin(), g.parameters().end());
  std::erase_if(all, [&](NodeId n) {
    return std::any_of(frozen.begin(), frozen.end(), [&](const Located& l) { return l.place.node == n; });
  });
  if (all.size() == 1) return all.front();
  std::string names;
  for (NodeId n : all) names += text(names.empty() ? "'" : ", '", g.name(n), "'");
  throw Failure(Exit::usage, "MO0306",
                text("--input_shape has one shape but the model has ", all.size(), " inputs"))
      .with("hint", all.empty() ? std::string() : text("name the input with --input; the model has ", names));
}

// One place may be named by --input and, once more, to be frozen.
void merge_frozen(InputSpec& first, const InputSpec& second) {
  if (first.listed && second.listed)
    throw Failure(Exit::usage, "MO0304",
                  text("--input names one place twice; the second time as '", second.name, "'"));
  if (first.frozen && second.frozen && first.frozen->text != second.frozen->text)
    throw Failure(
        Exit::usage, "MO0311",
        text("'", second.name, "' is frozen twice, as ", first.frozen->text, " and as ", second.frozen->text))
        .with("hint", "--freeze_placeholder_with_value is an older way to write --input 'NAME->VALUE'");
  if (!first.frozen) first.frozen = second.frozen;
  if (!first.shape) first.shape = second.shape;
  if (!first.type) first.type = second.type;
  first.listed |= second.listed;
}

// Names are looked up before anything changes: cutting one place must not hide another.
std::vector<Located> locate(const Graph& g, const std::vector<InputSpec>& inputs) {
  const Places places(g);
  std::vector<Located> all;
  const auto add = [&](const InputSpec& spec, Place p) {
    if (!is_parameter(g, p.node) && p.kind == Place::Kind::node) p = in_port_of(g, spec, p.node);
    for (Located& l : all)
      if (same_place(l.place, p)) return merge_frozen(l.spec, spec);
    all.push_back({spec, p});
  };
  for (const InputSpec& spec : inputs)
    if (!spec.name.empty()) add(spec, places.input(spec.name));
  for (const InputSpec& spec : inputs)
    if (spec.name.empty()) add(spec, {Place::Kind::node, only_parameter(g, all), 0});
  return all;
}

void note_inputs(Graph& g, const std::vector<Located>& all) {
  std::vector<std::string> order, typed;
  for (const Located& l : all) {
    if (l.spec.frozen || !l.spec.listed) continue;
    const std::string name =
        is_parameter(g, l.place.node) ? std::string(g.name(l.place.node)) : placeholder_name(g, l.place);
    if (!l.spec.name.empty()) order.push_back(name);
    if (l.spec.type) typed.push_back(name);
  }
  if (!order.empty()) g.set_attribute(MO_GRAPH_INPUT_ORDER, std::move(order));
  if (!typed.empty()) g.set_attribute(MO_GRAPH_TYPED_INPUTS, std::move(typed));
}

}  // namespace

void set_parameter(Graph& g, NodeId n, ElementType type, const Shape& shape) {
  g.set_attribute(n, "element_type", type);
  g.set_attribute(n, "shape", shape_attribute(shape));
  TensorState s;
  s.shape = shape;
  s.type = type;
  g.set_tensor({n, 0}, std::move(s));
}

std::vector<InputSpec> cut_inputs(Graph& g, const std::vector<InputSpec>& inputs, bool final) {
  std::vector<InputSpec> later;
  if (inputs.empty()) return later;
  const std::vector<Located> all = locate(g, inputs);
  if (!final) note_inputs(g, all);
  for (const Located& l : all) {
    const InputSpec& spec = l.spec;
    const bool parameter = is_parameter(g, l.place.node);
    const PortRef tensor = parameter ? PortRef{l.place.node, 0} : tensor_at(g, l.place);
    const TensorState known = tensor ? g.out(tensor).tensor : TensorState();
    const Shape shape = spec.shape.value_or(known.shape);
    ElementType type = spec.type.value_or(known.type);
    if (!parameter && !spec.shape && !known.shape.has_rank() && !final) {
      later.push_back(spec);
      continue;
    }
    NodeId n = l.place.node;
    if (parameter) {
      set_parameter(g, n, type, shape);
    } else {
      if (type == ElementType::unknown) type = ElementType::f32;
      n = add_parameter(g, l.place, type, shape);
    }
    if (spec.frozen) freeze(g, spec, n);
  }
  return later;
}

void check_inputs_suffice(const Graph& g, const std::vector<NodeId>& original,
                          const std::vector<InputSpec>& inputs) {
  if (std::none_of(inputs.begin(), inputs.end(),
                   [](const InputSpec& spec) { return spec.listed && !spec.name.empty(); }))
    return;
  std::vector<NodeId> named;
  const Places places(g);
  std::string missing;
  for (NodeId n : original) {
    if (!g.alive(n) || g.node(n).op != g.space().parameter) continue;
    const auto is_named = [&](const InputSpec& spec) {
      if (spec.name == g.name(n)) return true;
      const auto& names = g.out({n, 0}).names;
      return std::any_of(names.begin(), names.end(),
                         [&](Symbol s) { return g.symbols().text(s) == spec.name; }) ||
             spec.name == text(g.name(n), ":0") || spec.name == text("0:", g.name(n));
    };
    if (std::none_of(inputs.begin(), inputs.end(), is_named))
      missing += text(missing.empty() ? "'" : ", '", g.name(n), "'");
  }
  if (missing.empty()) return;
  throw Failure(Exit::usage, "MO0307",
                text("the inputs named by --input do not suffice: the model also reads ", missing))
      .with("hint", "name these too, or cut after every place that reads them");
}

}  // namespace mo::core
