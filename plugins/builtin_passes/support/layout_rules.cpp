#include "support/layout_rules.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace mo::builtin_passes {

OpView::OpView(const Node& n) : node(n), op(n.op()), opset(n.opset()) {
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

Read role_of(std::string_view inputs, size_t i) {
  const char c = inputs[std::min(i, inputs.size() - 1)];
  return c == 'd'   ? Read::node
         : c == 's' ? Read::spread
         : c == 'l' ? Read::list
         : c == 'a' ? Read::axes
                    : Read::any;
}

// Results of one rank, which is that of the data; operands of that rank or less.
Behaviour look_plain(const OpView& v, const LayoutRule& rule) {
  const size_t rank = v.out_rank();
  for (const Shape& s : v.out_shapes)
    if (!s.has_rank() || s.size() != rank) return stays(v);
  if (rank < 3) return stays(v);
  Behaviour b = turning(v, rank, Behaviour::Out::node);
  for (size_t i = 0; i < v.in.size(); ++i) {
    Read& r = b.inputs[i] = role_of(rule.inputs, i);
    if (!v.has(i)) {
      r = Read::any;
    } else if (r == Read::node) {
      if (v.in_shapes[i].rank() != static_cast<int64_t>(rank)) return stays(v);
    } else if (r == Read::spread) {
      const Shape& s = v.in_shapes[i];
      if (!s.has_rank() || s.size() > rank) return stays(v);
      if (s.size() == rank)
        r = Read::node;
      else if (v.node.attr<std::string>("auto_broadcast", "numpy") == "pdpd")
        return stays(v);
      else if (is_single(s))
        r = Read::any;
    } else if (r == Read::list) {
      if (!v.is_list(i, rank)) return stays(v);
    } else if (r == Read::axes) {
      const auto axes = v.ints(i);
      if (!axes || !axes_in(*axes, rank)) return stays(v);
    }
  }
  return b;
}

void turn_plain(const Turn& t, const LayoutRule& rule) {
  if (!t.in) return;
  const OpView& v = t.view;
  for (size_t i = 0; i < v.in.size(); ++i) {
    if (t.behaviour.inputs[i] == Read::list)
      v.node.in_port(i).set_source(t.lists.permuted(v.in[i], channels_first(t.behaviour.rank)));
    if (t.behaviour.inputs[i] == Read::axes) turn_axes_input(t, i, t.behaviour.rank);
  }
  turn_attributes(t, rule);
}

// A slope of one dimension may belong to dimension 1, whichever that is.
Behaviour look_prelu(const OpView& v, const LayoutRule& rule) {
  Behaviour b = look_plain(v, rule);
  return std::find(b.inputs.begin(), b.inputs.end(), Read::spread) == b.inputs.end() ? b : stays(v);
}

Behaviour look_reverse(const OpView& v, const LayoutRule& rule) {
  const bool mask = v.node.attr<std::string>("mode", "index") == "mask";
  LayoutRule now = rule;
  now.inputs = mask ? "dl" : "da";
  return look_plain(v, now);
}

// Blocks are counted in the order of their dimensions, so channels may have none.
Behaviour look_blocks(const OpView& v, const LayoutRule& rule) {
  const auto block = v.ints(1);
  return block && !block->empty() && block->back() == 1 ? look_plain(v, rule) : stays(v);
}

// As the plugin says that has the operation: OpSchema::layout_agnostic.
Behaviour look_declared(const OpView& v, const LayoutChange& change) {
  size_t rank = v.out_rank();
  Behaviour b = turning(v, rank, Behaviour::Out::node);
  const auto& fixed = change.fixed_inputs;
  for (size_t i = 0; i < v.in.size(); ++i) {
    if (!v.has(i)) continue;
    if (std::find(fixed.begin(), fixed.end(), static_cast<int64_t>(i)) != fixed.end())
      b.inputs[i] = Read::model;
    else if (v.in_shapes[i].rank() == static_cast<int64_t>(rank))
      b.inputs[i] = Read::node;
    else if (!is_single(v.in_shapes[i]))
      return stays(v);
  }
  for (const Shape& s : v.out_shapes)
    if (!s.has_rank() || s.size() != rank) return stays(v);
  b.declared = true;
  return rank < 3 ? stays(v) : b;
}

// An attribute that is an integer or a list of these.
std::optional<std::vector<int64_t>> ints_of(const Node& n, const std::string& name) {
  mo_value v{};
  if (n.context().graph().node_attr(n.context().get(), n.id(), str(name), &v) != MO_OK) return std::nullopt;
  if (v.kind == MO_VALUE_INT) return std::vector<int64_t>{v.u.i};
  return read_value<std::vector<int64_t>>(n.context().host(), v, name);
}

void turn_declared(const Turn& t) {
  if (!t.in) return;
  const LayoutChange change = t.view.node.layout_change().value_or(LayoutChange{});
  const size_t rank = t.behaviour.rank;
  LayoutRule rule;
  for (const std::string& name : change.axes) {
    if (const auto axes = ints_of(t.view.node, name); axes && !axes_in(*axes, rank))
      fail_layout(t.view,
                  text("'", name, "' numbers dimensions, and there is one that is not within ", rank));
    rule = {};
    rule.axes[0] = name;
    turn_attributes(t, rule);
  }
  for (const std::string& name : change.per_dimension) {
    const auto list = ints_of(t.view.node, name);
    if (list && !list->empty() && list->size() != rank)
      fail_layout(t.view, text("'", name, "' has one entry for each dimension, and it has ", list->size(),
                               " for ", rank));
    rule = {};
    rule.lists[0] = name;
    turn_attributes(t, rule);
  }
}

LayoutRules all_rules() {
  LayoutRules rules;
  const auto plain = [&](std::string_view inputs, std::initializer_list<std::string_view> ops,
                         std::string_view axis = {}, std::string_view other_axis = {}) {
    for (const std::string_view op : ops)
      rules[op] = {&look_plain, &turn_plain, inputs, {axis, other_axis}, {}};
  };
  plain("d", {"Abs",     "Acos",  "Acosh",    "Asin",       "Asinh",    "Atan",     "Atanh",   "BitwiseNot",
              "Ceiling", "Clamp", "Convert",  "Cos",        "Cosh",     "Elu",      "Erf",     "Exp",
              "Floor",   "Gelu",  "HSigmoid", "HSwish",     "Identity", "IsFinite", "IsInf",   "IsNaN",
              "Log",     "Mish",  "Negative", "LogicalNot", "ReLU",     "Round",    "Sigmoid", "Sign",
              "Sin",     "Sinh",  "SoftPlus", "SoftSign",   "Sqrt",     "Tan",      "Tanh"});
  plain("d-", {"Bucketize", "ConvertLike", "HardSigmoid", "Selu", "Swish"});
  plain("s", {"Add",
              "BitwiseAnd",
              "BitwiseOr",
              "BitwiseXor",
              "BitwiseLeftShift",
              "Divide",
              "BitwiseRightShift",
              "Equal",
              "FloorMod",
              "Greater",
              "GreaterEqual",
              "Less",
              "LessEqual",
              "LogicalAnd",
              "LogicalOr",
              "LogicalXor",
              "Maximum",
              "Minimum",
              "Mod",
              "Multiply",
              "NotEqual",
              "Power",
              "Select",
              "SquaredDifference",
              "Subtract",
              "Xor"});
  plain("ds", {"FakeQuantize"});
  plain("d", {"Concat", "LogSoftmax", "SoftMax", "GatherElements"}, "axis");
  plain("d-", {"TopK"}, "axis");
  plain("d-", {"ReverseSequence"}, "batch_axis", "seq_axis");
  plain("da-", {"Split", "VariadicSplit"});
  plain("da", {"CumSum", "LRN", "NormalizeL2"});
  plain("d-a", {"Roll"});
  plain("ddda", {"ScatterElementsUpdate"});
  plain("dll-", {"Pad"});
  plain("dl", {"Tile"});
  rules["SpaceToBatch"] = rules["BatchToSpace"] = {&look_blocks, &turn_plain, "dlll", {}, {}};
  rules["PReLU"] = {&look_prelu, &turn_plain, "ds", {}, {}};
  rules["Reverse"] = {&look_reverse, &turn_plain, "da", {}, {}};
  add_rules_of_views(rules);
  add_rules_of_slices(rules);
  return rules;
}

bool is_standard(const OpView& v) {
  return v.opset.rfind("opset", 0) == 0 && v.opset.find_first_not_of("0123456789", 5) == std::string::npos;
}

}  // namespace

const LayoutRule* layout_rule(const OpView& v) {
  static const LayoutRules rules = all_rules();
  if (!is_standard(v)) return nullptr;
  const auto rule = rules.find(v.op);
  return rule == rules.end() ? nullptr : &rule->second;
}

Behaviour behaviour_of(const OpView& v) {
  if (const LayoutRule* rule = layout_rule(v)) return rule->look(v, *rule);
  if (is_standard(v)) return stays(v);
  if (const auto change = v.node.layout_change()) return look_declared(v, *change);
  Behaviour b = stays(v);
  b.undeclared = true;
  return b;
}

void fail_layout(const OpView& v, const std::string& what) {
  fail("operation '", v.op, "' of '", v.opset, "', '", v.node.name(),
       "': its plugin says with layout_agnostic that it can do with another order of dimensions, but ", what,
       "; correct what it says of axes, per_dimension and fixed_inputs, or leave layout_agnostic out");
}

void turn_operation(const Turn& t) {
  if (const LayoutRule* rule = layout_rule(t.view))
    rule->turn(t, *rule);
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

void turn_attributes(const Turn& t, const LayoutRule& rule) {
  const Node& n = t.view.node;
  const size_t rank = t.behaviour.rank;
  const auto turned = [&](int64_t a) {
    return static_cast<int64_t>(turned_axis(normalize_axis(a, rank), rank));
  };
  for (const std::string_view name : rule.axes) {
    mo_value v{};
    const Context c = n.context();
    if (name.empty() || c.graph().node_attr(c.get(), n.id(), str(name), &v) != MO_OK) continue;
    if (v.kind == MO_VALUE_INT) {
      n.set(name, turned(v.u.i));
      continue;
    }
    auto axes = read_value<std::vector<int64_t>>(c.host(), v, name);
    for (int64_t& a : axes) a = turned(a);
    n.set(name, axes);
  }
  for (const std::string_view name : rule.lists) {
    if (name.empty()) continue;
    auto list = n.find_attr<std::vector<int64_t>>(name);
    if (list && list->size() == rank) n.set(name, permuted(*list, channels_first(rank)));
  }
}

OutPort ListOrders::permuted(const OutPort& list, const Order& order) {
  const std::string name = list.node().name();
  if (list.node().op() == "Const") {
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
