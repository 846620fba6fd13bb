#include "support/layout_rules.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace mo::builtin_passes {

OpView::OpView(const Node& n) : node(n), op(n.op_name()), opset(n.opset()), definition(n.definition()) {
  if (!opset.empty() && !is_operation_set(opset)) op = text(opset, "::", op);
  for (const InPort& p : n.in_ports()) {
    in.push_back(p.get_source());
    in_shapes.push_back(in.back() ? in.back().shape() : Shape());
  }
  for (const OutPort& p : n.out_ports()) out_shapes.push_back(p.shape());
}

std::optional<std::vector<int64_t>> OpView::ints(size_t i) const {
  const auto value = has(i) ? in[i].value() : std::nullopt;
  return value ? std::optional(value->to_ints()) : std::nullopt;
}

Behaviour stays(const OpView& v) {
  Behaviour b;
  b.inputs.assign(v.in.size(), Read::model);
  return b;
}

Behaviour turning(const OpView& v, size_t rank, Behaviour::Out out) {
  Behaviour b;
  b.turns = true;
  b.out = out;
  b.rank = rank;
  b.inputs.assign(v.in.size(), Read::any);
  return b;
}

std::optional<std::vector<size_t>> axes_in(const std::vector<int64_t>& axes, size_t rank) {
  std::vector<size_t> list;
  for (const int64_t a : axes) {
    if (a < -static_cast<int64_t>(rank) || a >= static_cast<int64_t>(rank)) return std::nullopt;
    list.push_back(normalize_axis(a, rank));
  }
  return list;
}

std::optional<Behaviour::Out> out_without(size_t rank, const std::vector<size_t>& gone) {
  const auto left = [&](const Order& order) {
    Order rest;
    for (const int64_t d : order)
      if (std::find(gone.begin(), gone.end(), static_cast<size_t>(d)) == gone.end()) rest.push_back(d);
    return rest;
  };
  Order all(rank);
  std::iota(all.begin(), all.end(), 0);
  const Order model = left(all);
  const Order turned = left(channels_first(rank));
  if (turned == model) return Behaviour::Out::model;
  if (turned == permuted(model, channels_first(model.size()))) return Behaviour::Out::node;
  return std::nullopt;
}

namespace {

// A tensor whose elements are all one dimension long, or which has none, fits anything.
bool is_single(const Shape& s) {
  return s.has_rank() && std::all_of(s.begin(), s.end(), [](const Dim& d) { return d == Dim(1); });
}

// As it is read in a tensor of `rank` dimensions; nothing where the operation has to stay for it.
std::optional<Read> read_of(const OpView& v, size_t i, size_t rank) {
  if (!v.has(i)) return Read::any;
  const Shape& s = v.in_shapes[i];
  const bool whole = s.rank() == static_cast<int64_t>(rank);
  const auto when = [](bool fits, Read r) { return fits ? std::optional(r) : std::nullopt; };
  switch (v.definition.role(i)) {
    case Role::data:
      return whole ? Read::node : when(is_single(s), Read::any);
    case Role::spread: {
      if (whole) return Read::node;
      const std::string_view how = v.definition.attribute(Role::spread);
      if (!s.has_rank() || s.size() > rank) return std::nullopt;
      if (!how.empty() && v.node.attr<std::string>(how, "numpy") == "pdpd") return std::nullopt;
      return is_single(s) ? Read::any : Read::spread;
    }
    case Role::per_dimension:
      return when(v.is_list(i, rank), Read::list);
    case Role::axes:
    case Role::reduced_axes: {
      const auto axes = v.ints(i);
      return when(axes && axes_in(*axes, rank), Read::axes);
    }
    case Role::any:
      return Read::any;
    default:
      return Read::model;
  }
}

bool can_turn(const Role r) { return r == Role::data || r == Role::spread; }

// An attribute that is an integer or a list of these.
std::optional<std::vector<int64_t>> ints_of(const Node& n, std::string_view name) {
  mo_value v{};
  if (n.context().graph().node_attr(n.context().get(), n.id(), str(name), &v) != MO_OK) return std::nullopt;
  if (v.kind == MO_VALUE_INT) return std::vector<int64_t>{v.u.i};
  return read_value<std::vector<int64_t>>(n.context().host(), v, std::string(name));
}

// The dimensions of the data that the result may not have; nothing when it has all.
std::optional<std::vector<size_t>> reduced_dims(const OpView& v, size_t rank) {
  std::optional<std::vector<int64_t>> axes;
  for (size_t i = 0; i < v.in.size(); ++i)
    if (v.definition.role(i) == Role::reduced_axes && v.has(i)) axes = v.ints(i);
  if (const std::string_view name = v.definition.attribute(Role::reduced_axes); !name.empty())
    axes = ints_of(v.node, name);
  return axes ? axes_in(*axes, rank) : std::nullopt;
}

// How the results are turned with data of `rank` dimensions; nothing where they cannot be.
std::optional<Behaviour::Out> out_of(const OpView& v, size_t rank) {
  for (const Shape& s : v.out_shapes)
    if (!s.has_rank() || s.size() != v.out_rank()) return std::nullopt;
  if (v.out_rank() == rank) return Behaviour::Out::node;
  const auto gone = reduced_dims(v, rank);
  return gone && v.out_rank() + gone->size() == rank ? out_without(rank, *gone) : std::nullopt;
}

// Parts of every graph, which nobody defines.
bool is_border(const OpView& v) { return v.op == "Const" || v.op == "Parameter" || v.op == "Result"; }

const LayoutRules& rules() {
  static const LayoutRules all = [] {
    LayoutRules rules;
    add_rules_of_views(rules);
    add_rules_of_slices(rules);
    return rules;
  }();
  return all;
}

}  // namespace

Behaviour look_declared(const OpView& v) {
  Behaviour none = stays(v);
  none.undeclared = !v.definition.has_roles() && !is_border(v);
  size_t rank = v.out_rank();
  bool turns = false;
  for (size_t i = 0; i < v.in.size(); ++i) {
    if (!v.has(i) || !can_turn(v.definition.role(i))) continue;
    if (!v.in_shapes[i].has_rank()) return none;
    turns = true;
    rank = std::max(rank, v.in_rank(i));
  }
  const auto out = turns && rank >= 3 ? out_of(v, rank) : std::nullopt;
  if (!out) return none;
  Behaviour b = turning(v, rank, *out);
  for (size_t i = 0; i < v.in.size(); ++i) {
    const auto how = read_of(v, i, rank);
    if (!how) return none;
    b.inputs[i] = *how;
  }
  b.declared = true;
  return b;
}

void turn_declared(const Turn& t) {
  if (!t.in) return;
  const OpView& v = t.view;
  const size_t rank = t.behaviour.rank;
  for (size_t i = 0; i < v.in.size(); ++i) {
    if (t.behaviour.inputs[i] == Read::list)
      v.node.in_port(i).set_source(t.lists.permuted(v.in[i], channels_first(rank)));
    if (t.behaviour.inputs[i] == Read::axes) turn_axes_input(t, i, rank);
  }
  v.definition.each_attribute([&](std::string_view name, Role role) {
    if (role != Role::axes && role != Role::reduced_axes && role != Role::per_dimension) return;
    const auto list = ints_of(v.node, name);
    if (!list) return;
    if (role == Role::per_dimension) {
      if (!list->empty() && list->size() != rank)
        fail_layout(v, text("'", name, "' has one entry for each dimension, and it has ", list->size(),
                            " for ", rank));
      return turn_list_attribute(t, name);
    }
    if (!axes_in(*list, rank))
      fail_layout(v, text("'", name, "' numbers dimensions, and there is one that is not within ", rank));
    turn_axes_attribute(t, name);
  });
}

Behaviour behaviour_of(const OpView& v) {
  const auto rule = rules().find(v.op);
  return rule == rules().end() ? look_declared(v) : rule->second.look(v);
}

void fail_layout(const OpView& v, const std::string& what) {
  fail("operation '", v.node.op(), "' of '", v.opset, "', '", v.node.name(),
       "': its plugin says that it can do with another order of dimensions, but ", what,
       "; correct the roles of its inputs and attributes (OpSchema::input, role, layout_agnostic), or leave "
       "them out");
}

void turn_operation(const Turn& t) {
  const auto rule = rules().find(t.view.op);
  if (rule != rules().end())
    rule->second.turn(t);
  else if (t.behaviour.turns)
    turn_declared(t);
}

namespace {

// Elements of any type, whole bytes each.
Tensor permuted_elements(const Context& c, const Tensor& t, const Order& order) {
  const auto width = static_cast<size_t>(bits(t.type())) / 8;
  auto [now, data] = Tensor::create_bytes(c, t.type(), t.dims());
  for (size_t i = 0; i < order.size(); ++i)
    std::memcpy(static_cast<char*>(data) + i * width,
                static_cast<const char*>(t.data()) + static_cast<size_t>(order[i]) * width, width);
  return std::move(now);
}

}  // namespace

void set_ints(const Turn& t, size_t input, const std::vector<int64_t>& values) {
  const Node& n = t.view.node;
  const Context c = n.context();
  const auto was = t.view.has(input) ? t.view.in[input].value() : std::nullopt;
  std::vector<int64_t> dims{static_cast<int64_t>(values.size())};
  if (was && was->rank() == 0) dims.clear();
  Tensor value = Tensor::of<int64_t>(c, values, dims);
  if (was && was->type() == ElementType::i32)
    value = Tensor::of<int32_t>(c, std::vector<int32_t>(values.begin(), values.end()), dims);
  const std::string name = text(n.name(), "/input_", input);
  const InPort port = input < n.in_count() ? n.in_port(input) : n.add_input_port();
  port.set_source(n.graph().create_const(name, value).out_port());
}

void turn_axes_input(const Turn& t, size_t input, size_t rank) {
  std::vector<int64_t> axes = *t.view.ints(input);
  for (int64_t& a : axes) a = static_cast<int64_t>(turned_axis(normalize_axis(a, rank), rank));
  set_ints(t, input, axes);
}

void turn_axes_attribute(const Turn& t, std::string_view name) {
  const Node& n = t.view.node;
  const size_t rank = t.behaviour.rank;
  const auto turned = [&](int64_t a) {
    return static_cast<int64_t>(turned_axis(normalize_axis(a, rank), rank));
  };
  mo_value v{};
  const Context c = n.context();
  if (c.graph().node_attr(c.get(), n.id(), str(name), &v) != MO_OK) return;
  if (v.kind == MO_VALUE_INT) {
    n.set(name, turned(v.u.i));
    return;
  }
  auto axes = read_value<std::vector<int64_t>>(c.host(), v, std::string(name));
  for (int64_t& a : axes) a = turned(a);
  n.set(name, axes);
}

void turn_list_attribute(const Turn& t, std::string_view name) {
  const size_t rank = t.behaviour.rank;
  const auto list = t.view.node.find_attr<std::vector<int64_t>>(name);
  if (list && list->size() == rank) t.view.node.set(name, permuted(*list, channels_first(rank)));
}

OutPort ListOrders::permuted(const OutPort& list, const Order& order) {
  const std::string name = list.node().name();
  if (list.node().is("Const")) {
    const Tensor now = permuted_elements(graph_.context(), *list.value(), order);
    return graph_.create_const(name + "/turned", now).out_port();
  }
  const auto known = origins_.find({list.node().id(), list.index()});
  const OutPort base = known == origins_.end() ? list : known->second.list;
  const Order all = known == origins_.end() ? order : then(known->second.order, order);
  if (is_identity(all)) return base;
  const OutPort made = gathered(base, all);
  origins_[{made.node().id(), made.index()}] = {base, all};
  return made;
}

OutPort ListOrders::gathered(const OutPort& list, const Order& order) const {
  const std::string name = list.node().name();
  const Node indices = graph_.create_ints(name + "/order", order),
             zero = graph_.create_int(name + "/axis", 0);
  return graph_.create_node("Gather", "opset1", name + "/turned", {list, indices.out_port(), zero.out_port()})
      .out_port();
}

void ListOrders::is_permuted(const OutPort& list, const OutPort& of, const Order& order) {
  origins_[{list.node().id(), list.index()}] = {of, order};
}

}  // namespace mo::builtin_passes
