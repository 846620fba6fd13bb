#include "loader/variables.hpp"

#include "loader/body_reader.hpp"

namespace mo::tensorflow {

bool is_variable(std::string_view op) {
  return op == "VarHandleOp" || op == "VariableV2" || op == "Variable" || op == "AutoReloadVariable";
}

namespace {

// The node that gives a value, behind nodes that hand it on.
Source source_behind_identities(const Body& body, Source s) {
  for (size_t steps = 0; steps < body.nodes.size(); ++steps) {
    const NodeDef& n = body.nodes[s.node];
    if ((n.op != "Identity" && n.op != "RefIdentity") || n.inputs.empty()) break;
    s = n.inputs[0];
  }
  return s;
}

// The strings of a constant.
std::vector<std::string_view> texts_of(TensorflowModel& model, const Body& body, const Scope& scope,
                                       const Source& s) {
  const NodeDef& n = body.nodes[source_behind_identities(body, s).node];
  const auto value = n.op == "Const" ? Attributes(model, n, scope).find("value") : std::nullopt;
  std::vector<std::string_view> texts;
  if (!value || value->kind != AttrValue::tensor || value->messages.empty()) return texts;
  for (const wire::Field& f : wire::Message(value->messages.back()))
    if (f.number == field::tensor::string_val) texts.push_back(f.bytes());
  return texts;
}

bool is_assignment(std::string_view op) { return op == "Assign" || op == "AssignVariableOp"; }

}  // namespace

Variables::Variables(TensorflowModel& model, const Body& body, const Scope& scope,
                     std::unique_ptr<Checkpoint> checkpoint)
    : model_(model), checkpoint_(std::move(checkpoint)) {
  std::vector<std::string_view> handles(body.nodes.size());
  for (size_t i = 0; i < body.nodes.size(); ++i)
    if (is_variable(body.nodes[i].op)) handles[i] = body.nodes[i].name;
  read_restores(model, body, scope, handles);
  read_restoring_calls(model, body, scope);
}

void Variables::add(std::string_view variable, std::string_view key, std::string_view part) {
  if (checkpoint_->has(key)) sources_.try_emplace(variable, Source{key, parse_slice_spec(part)});
}

// Assignments of what RestoreV2 gives; `handles` has the variables among the nodes.
void Variables::read_restores(TensorflowModel& model, const Body& body, const Scope& scope,
                              const std::vector<std::string_view>& handles) {
  std::map<uint32_t, std::pair<std::vector<std::string_view>, std::vector<std::string_view>>> restores;
  for (const NodeDef& n : body.nodes) {
    if (!is_assignment(n.op) || n.inputs.size() < 2) continue;
    const std::string_view variable = handles[source_behind_identities(body, n.inputs[0]).node];
    const auto value = source_behind_identities(body, n.inputs[1]);
    const NodeDef& restore = body.nodes[value.node];
    if (variable.empty() || restore.op != "RestoreV2" || restore.inputs.size() < 3) continue;
    const auto [known, fresh] = restores.try_emplace(value.node);
    if (fresh)
      known->second = {texts_of(model, body, scope, restore.inputs[1]),
                       texts_of(model, body, scope, restore.inputs[2])};
    const auto& [keys, parts] = known->second;
    // TensorFlow leaves out strings at the end that equal the last one.
    if (keys.empty()) continue;
    const std::string_view key = keys[std::min<size_t>(value.output, keys.size() - 1)];
    const std::string_view part =
        parts.empty() ? std::string_view() : parts[std::min<size_t>(value.output, parts.size() - 1)];
    add(variable, key, part);
  }
}

// Functions that restore the variables they are given.
void Variables::read_restoring_calls(TensorflowModel& model, const Body& body, const Scope& scope) {
  for (const NodeDef& n : body.nodes) {
    bool has_variable = false;
    for (const auto& in : n.inputs) has_variable = has_variable || is_variable(body.nodes[in.node].op);
    if (!has_variable) continue;
    const auto f = model.called_by(n, scope);
    if (!f) continue;
    const Scope& inner = model.enter(scope, *f, {});
    const Body called = read_function(model, inner);
    if (called.arguments.size() != n.inputs.size()) continue;
    std::vector<std::string_view> handles(called.nodes.size());
    for (size_t i = 0; i < n.inputs.size(); ++i) {
      const NodeDef& given = body.nodes[n.inputs[i].node];
      if (is_variable(given.op)) handles[called.arguments[i]] = given.name;
    }
    read_restores(model, called, inner, handles);
  }
}

Tensor Variables::read(Context c, const NodeDef& variable, const Scope& scope) {
  const auto known = sources_.find(variable.name);
  if (known != sources_.end()) return checkpoint_->read(c, known->second.key, known->second.part);
  const std::string_view shared = attributes(variable, scope).text("shared_name");
  for (const std::string_view name : {variable.name, shared}) {
    if (name.empty()) continue;
    if (checkpoint_->has(name)) return checkpoint_->read(c, name, {});
    const auto object = keys_by_full_name_.find(name);
    if (object != keys_by_full_name_.end()) return checkpoint_->read(c, object->second, {});
  }
  const auto keys = checkpoint_->keys();
  constexpr size_t shown = 5;
  std::string list;
  for (size_t i = 0; i < std::min(keys.size(), shown); ++i)
    list += text(i == 0 ? "" : ", ", '\'', keys[i], '\'');
  fail("the checkpoint has no value of variable '", variable.name, "'; it has ", list,
       keys.size() > shown ? text(" and ", keys.size() - shown, " more") : std::string());
}

}  // namespace mo::tensorflow
