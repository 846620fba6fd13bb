#include "core/match/condition.hpp"

#include "core/infer/infer.hpp"
#include "core/match/match.hpp"
#include "core/registry/contain.hpp"

namespace mo::core {

namespace {

// An op given as an attribute can be found by index as well.
std::vector<std::string> ops_of(const PatternNodeDef& d) {
  if (!d.ops.empty() || d.kind != MO_PATTERN_OP) return d.ops;
  for (const auto& [name, value] : d.attributes)
    if (const auto* op = std::get_if<std::string>(&value); op != nullptr && name == "op") return {*op};
  return {};
}

bool is_text(const Attribute& wanted, std::string_view text) {
  const auto* s = std::get_if<std::string>(&wanted);
  return s != nullptr && *s == text;
}

ElementType type_of(Session& session, Graph& g, PortRef at) {
  bring_up_to_date(session, g, at.node);
  return g.out(at).tensor.type;
}

}  // namespace

NodeCondition::NodeCondition(SymbolTable& symbols, const PatternNodeDef& d, const Plugin* plugin)
    : ops_(symbols, ops_of(d), plugin), one_consumer_((d.flags & MO_PATTERN_ONE_CONSUMER) != 0) {
  for (const auto& [name, value] : d.attributes) {
    What what = What::attribute;
    if (name == "op") what = What::op;
    if (name == "opset") what = What::opset;
    if (name == "name") what = What::name;
    if (name == "type") what = What::type;
    wanted_.push_back({what, symbols.intern(name), &value});
  }
}

const Attribute* NodeCondition::find(const Session& session, const Graph& g, NodeId n, Symbol key) const {
  if (const Attribute* a = g.node(n).attributes.find(key)) return a;
  const Operation* op = operation_of(session, g, n);
  const AttributeDef* d = op == nullptr ? nullptr : op->find(key);
  return d == nullptr || std::holds_alternative<std::monostate>(d->fallback) ? nullptr : &d->fallback;
}

bool NodeCondition::holds(Session& session, Graph& g, PortRef at) const {
  const NodeRecord& n = g.node(at.node);
  if (!ops_.matches(n)) return false;
  if (one_consumer_)
    for (const OutSlot& o : n.outputs)
      if (o.destinations > 1) return false;
  for (const Wanted& w : wanted_) {
    switch (w.what) {
      case What::op:
        if (!is_text(*w.value, g.op(at.node))) return false;
        break;
      case What::opset:
        if (!is_text(*w.value, g.opset(at.node))) return false;
        break;
      case What::name:
        if (!is_text(*w.value, g.name(at.node))) return false;
        break;
      case What::type:  // of the element, or, as text, the operation's
        if (const auto* t = std::get_if<ElementType>(w.value)) {
          if (at.port >= n.outputs.size() || type_of(session, g, at) != *t) return false;
        } else if (!is_text(*w.value, g.op(at.node))) {
          return false;
        }
        break;
      case What::attribute: {
        const Attribute* a = find(session, g, at.node, w.key);
        if (a == nullptr || !attribute_equal(*a, *w.value)) return false;
        break;
      }
    }
  }
  return true;
}

bool NodeCondition::holds_for_data(Session& session, Graph& g, PortRef at) const {
  const OutSlot& o = g.out(at);
  if (one_consumer_ && o.destinations > 1) return false;
  for (const Wanted& w : wanted_) {
    if (const auto* t = std::get_if<ElementType>(w.value); t != nullptr && w.what == What::type) {
      if (type_of(session, g, at) != *t) return false;
      continue;
    }
    const Attribute* a = o.attributes.find(w.key);
    if (a == nullptr || !attribute_equal(*a, *w.value)) return false;
  }
  return true;
}

std::vector<NodeCondition> conditions_of(SymbolTable& symbols, const Transformation& t) {
  std::vector<NodeCondition> list;
  list.reserve(t.nodes.size());
  for (const PatternNodeDef& d : t.nodes) list.emplace_back(symbols, d, t.plugin);
  return list;
}

bool predicate_holds(Session& session, Graph& g, const Transformation& t, size_t pattern_node, PortRef at,
                     std::string* why) {
  const PatternNodeDef& d = t.nodes[pattern_node];
  if (d.predicate == nullptr) return true;
  Call call(session);
  call->transformation = &t;
  call->plugin = t.plugin;
  call->graph = &g;
  call->node = at.node;
  call->in_predicate = true;
  int32_t ok = 0;
  const mo_port port{node_handle(g, at.node), at.port, MO_PORT_OUT};
  const mo_status status =
      contain(*call, "predicate", [&] { return d.predicate(d.self, call.get(), port, &ok); });
  // An attribute of another kind than it asks for is no match.
  if (status == MO_WRONG_KIND)
    call->declined = call->error;
  else if (status != MO_NOT_APPLICABLE)
    call.check(status, "predicate");
  if (status == MO_OK && ok != 0) return true;
  if (why != nullptr && why->empty()) *why = std::move(call->declined);
  return false;
}

}  // namespace mo::core
