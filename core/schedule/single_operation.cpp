#include "core/schedule/single_operation.hpp"

#include <algorithm>
#include <deque>

#include <nlohmann/json.hpp>

#include "core/config/scope.hpp"
#include "core/infer/replaced_graph.hpp"
#include "core/registry/abi.hpp"
#include "core/support/nearest.hpp"

namespace mo::core {

namespace {

using json = nlohmann::ordered_json;

template <class T>
std::vector<T> list_of(const json& v) {
  std::vector<T> list;
  for (const json& i : v) list.push_back(i.get<T>());
  return list;
}

Attribute to_attribute(const json& v) {
  const auto all = [&](bool (json::*is)() const noexcept) {
    return std::all_of(v.begin(), v.end(), [&](const json& i) { return (i.*is)(); });
  };
  if (v.is_boolean()) return v.get<bool>();
  if (v.is_number_integer()) return v.get<int64_t>();
  if (v.is_number()) return v.get<double>();
  if (v.is_string()) return v.get<std::string>();
  if (v.is_array() && all(&json::is_number_integer)) return list_of<int64_t>(v);
  if (v.is_array() && all(&json::is_number)) return list_of<double>(v);
  if (v.is_array() && all(&json::is_string)) return list_of<std::string>(v);
  return v.is_null() ? Attribute() : Attribute(v.dump());
}

void set_attributes(Graph& g, NodeId n, const ConfigEntry& e) {
  std::vector<std::string> names;
  const json attributes = json::parse(e.custom_attributes);
  for (const auto& [key, value] : attributes.items()) {
    g.set_attribute(n, key, to_attribute(value));
    names.push_back(key);
  }
  if (!names.empty()) g.set_attribute(n, config_words::ir_attributes, std::move(names));
}

// The callback of the transformations below.
mo_status become_one(void* self, mo_context* c, mo_match* match) {
  return guarded(c, [&] {
    const Operation& op = *static_cast<const Operation*>(self);
    Match& m = *reinterpret_cast<Match*>(match);
    Graph& g = *m.graph;
    check_one_operation(op, m);
    const Boundary& b = boundary_of(m, g.end_id());
    const NodeId n = g.add_node(op.op, op.opset, op.op, static_cast<uint32_t>(b.inputs.size()),
                                static_cast<uint32_t>(b.outputs.size()));
    set_attributes(g, n, *m.configured->entry);
    for (uint32_t i = 0; i < b.inputs.size(); ++i) m.mapped_inputs.push_back({i, {n, i}});
    for (uint32_t i = 0; i < b.outputs.size(); ++i) m.mapped_outputs.push_back({i, {n, i}});
  });
}

bool same_op(const ConfigEntry& a, const ConfigEntry& b) { return a.id == b.id && a.op == b.op; }

bool serves(const Transformation& t, ConfigEntry::Kind kind) {
  if (kind == ConfigEntry::Kind::general) return t.kind == MO_TRANSFORM_CONFIG_GENERAL;
  return t.kind == MO_TRANSFORM_CONFIG_SCOPE || t.kind == MO_TRANSFORM_CONFIG_POINTS;
}

void check_operation(const Session& session, const ConfigEntry& e) {
  if (operation_meant(session.registry(), e) != nullptr) return;
  std::vector<std::string> known;
  for (const Operation* o : session.registry().operations()) known.push_back(o->op);
  throw wrong_entry(e, "MO0614", text("there is no operation '", e.op, "' for \"op\""))
      .with("hint", did_you_mean(e.op, known))
      .with("hint", "`mo-host list ops` shows all; --extensions names the plugins of others");
}

}  // namespace

void check_configuration(const Session& session) {
  if (session.configuration == nullptr) return;
  for (const ConfigEntry& e : *session.configuration) {
    if (!e.op.empty()) {
      check_operation(session, e);
      continue;
    }
    const Transformation* t = session.registry().transformation(e.id);
    if (t != nullptr && serves(*t, e.kind)) continue;
    std::vector<std::string> known;
    for (const Transformation* k : session.registry().transformations())
      if (serves(*k, e.kind)) known.push_back(k->id);
    Failure f = wrong_entry(e, "MO0613",
                            t != nullptr ? text("the transformation \"", e.id,
                                                "\" takes no entries of match_kind \"", name(e.kind), '"')
                                         : text("no plugin has a transformation \"", e.id, '"'));
    f.with("hint", did_you_mean(e.id, known));
    throw f.with("hint",
                 "--extensions names the plugins of others; \"op\" names an operation that needs no code");
  }
}

void replace_by_operations(Session& session, Graph& g, std::vector<RunStatistics>* statistics, Watch* watch) {
  if (session.configuration == nullptr) return;
  const Configuration& all = *session.configuration;
  std::deque<Transformation> made;
  std::vector<Scheduled> schedule;
  for (auto e = all.begin(); e != all.end(); ++e) {
    const bool done =
        std::any_of(all.begin(), e, [&](const ConfigEntry& before) { return same_op(before, *e); });
    if (e->op.empty() || done) continue;
    Transformation& t = made.emplace_back();
    t.id = e->id;
    t.ops = {e->op};
    t.phase = MO_PHASE_LOAD;
    t.kind = MO_TRANSFORM_CONFIG_SCOPE;
    t.self = const_cast<Operation*>(operation_meant(session.registry(), *e));
    t.on_match = become_one;
    schedule.push_back({t.id, &t, true, {}});
  }
  run_phase(session, g, schedule, MO_PHASE_LOAD, statistics, watch);
}

}  // namespace mo::core
