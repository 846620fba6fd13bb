#include "loader/tables.hpp"

#include "loader/body_reader.hpp"

namespace mo::tensorflow {

namespace {

bool fills_a_table(std::string_view op) {
  for (const std::string_view name :
       {"InitializeTable", "InitializeTableV2", "LookupTableImport", "LookupTableImportV2"})
    if (op == name) return true;
  return false;
}

// A body, and what its arguments are outside of it.
struct Place {
  const Body& body;
  const Scope& scope;
  const Place* outer;
  const std::vector<Source>* given;
};

// The node that gives a value, behind Identity and out of functions.
std::pair<const Place*, const NodeDef*> origin_of(const Place* at, Source s) {
  for (size_t steps = 0; steps < 1'000'000; ++steps) {
    const NodeDef& n = at->body.nodes[s.node];
    const auto& arguments = at->body.arguments;
    const auto argument = std::lower_bound(arguments.begin(), arguments.end(), s.node);
    if (n.op == "Identity" && !n.inputs.empty()) {
      s = n.inputs[0];
    } else if (at->outer != nullptr && argument != arguments.end() && *argument == s.node) {
      s = (*at->given)[static_cast<size_t>(argument - arguments.begin())];
      at = at->outer;
    } else {
      return {at, &n};
    }
  }
  fail("a value is read in a circle");
}

std::optional<Bytes> constant_of(TensorflowModel& model, const Place* at, const Source& s) {
  const auto [place, n] = origin_of(at, s);
  if (n->op != "Const") return std::nullopt;
  const auto value = Attributes(model, *n, place->scope).find("value");
  if (!value || value->kind != AttrValue::tensor || value->messages.empty()) return std::nullopt;
  return value->messages.back();
}

void read_body(TensorflowModel& model, const Place& at) {
  for (const NodeDef& n : at.body.nodes) {
    if (n.inputs.empty()) continue;
    if (fills_a_table(n.op) && n.inputs.size() == 3) {
      const NodeDef& table = *origin_of(&at, n.inputs[0]).second;
      const auto keys = constant_of(model, &at, n.inputs[1]), values = constant_of(model, &at, n.inputs[2]);
      if (is_table(table.op) && keys && values) model.add_table(table.name, {*keys, *values});
      continue;
    }
    const bool has_table = std::any_of(n.inputs.begin(), n.inputs.end(), [&](const Source& s) {
      return is_table(origin_of(&at, s).second->op);
    });
    const auto f = has_table ? model.called_by(n, at.scope) : std::nullopt;
    if (!f) continue;
    const Scope& inner = model.enter(at.scope, *f, {});
    const Body called = read_function(model, inner);
    if (called.arguments.size() == n.inputs.size()) read_body(model, {called, inner, &at, &n.inputs});
  }
}

}  // namespace

bool is_table(std::string_view op) { return op == "HashTable" || op == "HashTableV2"; }

void read_tables(TensorflowModel& model, const Body& body, const Scope& scope) {
  // Functions are handed those of the graph: without one, which is nearly always, nobody's inputs are followed.
  const auto& nodes = body.nodes;
  if (std::none_of(nodes.begin(), nodes.end(), [](const NodeDef& n) { return is_table(n.op); })) return;
  read_body(model, {body, scope, nullptr, nullptr});
}

}  // namespace mo::tensorflow
