#include <algorithm>
#include <array>

#include "core/registry/check.hpp"
#include "core/registry/definitions.hpp"
#include "core/registry/thunks.hpp"

namespace mo::core {

namespace {

bool is_anchor(std::string_view id) {
  static constexpr std::array phases{"load", "front", "pre_middle", "middle", "post_middle", "back", "emit"};
  return std::any_of(phases.begin(), phases.end(), [&](std::string_view phase) {
    return id.starts_with(phase) &&
           (id.substr(phase.size()) == ".start" || id.substr(phase.size()) == ".finish");
  });
}

void check_order(Check& check, const Transformation& t) {
  if (is_anchor(t.id))
    check.that(false, Rule::anchor_as_id, "id", in_quotes(t.id),
               "an id that is not an anchor of the schedule");
  for (const auto* list : {&t.run_before, &t.run_after})
    check.that(list->empty() || t.id.empty() || std::find(list->begin(), list->end(), t.id) == list->end(),
               Rule::orders_itself, list == &t.run_before ? "run_before" : "run_after",
               "a list with its own id", "ids of others");
  for (const std::string& id : t.run_before)
    if (!id.empty() && std::find(t.run_after.begin(), t.run_after.end(), id) != t.run_after.end())
      check.that(false, Rule::orders_itself, "run_before",
                 text("a list with ", in_quotes(id), ", which run_after has, too"), "one of the two");
}

// Fields that this kind never looks at must be empty: their author expects something that does not happen.
void check_kind(Check& check, const mo_transformation_def& d, const Transformation& t) {
  const bool by_op = d.kind == MO_TRANSFORM_OP;
  const bool by_pattern = d.kind == MO_TRANSFORM_PATTERN || d.kind == MO_TRANSFORM_MATCHER;
  if (by_op)
    check.that(!t.ops.empty(), Rule::pattern_missing, "ops", "empty",
               "at least one operation, as the kind is MO_TRANSFORM_OP");
  else
    check.that(d.n_ops == 0, Rule::foreign_field, "ops", "set", "nothing: only MO_TRANSFORM_OP looks at it");
  if (!by_pattern)
    check.that(d.n_nodes == 0, Rule::foreign_field, "nodes", "set", "nothing: only patterns have nodes");
  if (d.kind != MO_TRANSFORM_PATTERN)
    check.that(d.n_edges == 0, Rule::foreign_field, "edges", "set",
               "nothing: only MO_TRANSFORM_PATTERN looks at them");
  if (d.kind != MO_TRANSFORM_MATCHER && !t.group.empty())
    check.that(false, Rule::foreign_field, "group", in_quotes(t.group),
               "nothing: only MO_TRANSFORM_MATCHER has groups");

  switch (d.kind) {
    case MO_TRANSFORM_GRAPH:
    case MO_TRANSFORM_CONFIG_GENERAL:
      return check.callback("on_graph", d.on_graph != nullptr);
    case MO_TRANSFORM_OP:
      return check.callback("on_node", d.on_node != nullptr);
    default:
      return check.callback("on_match", d.on_match != nullptr);
  }
}

}  // namespace

Transformation read_transformation(const mo_transformation_def& def, const Plugin& plugin, Session& session) {
  Check check("transformation", plugin.abi_minor);
  const mo_transformation_def d = check.structure(&def);
  Transformation t;
  const bool by_config = d.kind >= MO_TRANSFORM_CONFIG_SCOPE;
  t.id = check.string("id", d.id, by_config ? form::config_id : form::transformation_id);
  check.about(text("transformation ", in_quotes(t.id)));
  t.doc = check.string("doc", d.doc, form::optional_line);
  t.before = check.string("before", d.before, form::optional_paragraph);
  t.after = check.string("after", d.after, form::optional_paragraph);
  t.group = check.string("group", d.group, form::optional_group);
  t.run_before = check.strings("run_before", d.run_before, d.n_run_before, form::order_id);
  t.run_after = check.strings("run_after", d.run_after, d.n_run_after, form::order_id);
  t.frameworks = check.strings("frameworks", d.frameworks, d.n_frameworks, form::framework);
  t.ops = check.strings("ops", d.ops, d.n_ops, form::op_pattern);
  check_order(check, t);
  check.enumeration("phase", d.phase, MO_PHASE_LOAD, MO_PHASE_EMIT);
  check.enumeration("kind", d.kind, MO_TRANSFORM_GRAPH, MO_TRANSFORM_CONFIG_GENERAL);
  check.enumeration("enabled", d.enabled, MO_UNSET, MO_OFF);
  check.enumeration("recursive", d.recursive, MO_UNSET, MO_OFF);
  check.enumeration("force_clean_up", d.force_clean_up, MO_UNSET, MO_OFF);
  check.enumeration("force_shape_inference", d.force_shape_inference, MO_UNSET, MO_OFF);
  check_kind(check, d, t);
  t.kind = d.kind;
  if (d.kind == MO_TRANSFORM_PATTERN || d.kind == MO_TRANSFORM_MATCHER) read_pattern(check, d, t, session);
  check.done();

  t.phase = d.phase;
  t.enabled = d.enabled != MO_OFF;
  t.recursive = d.recursive != MO_OFF;
  t.force_clean_up = d.force_clean_up == MO_ON;
  t.force_shape_inference = d.force_shape_inference == MO_ON;
  adopt(d, t);
  t.condition = thunk<"condition", &mo_transformation_def::condition>(d);
  t.on_graph = thunk<"on_graph", &mo_transformation_def::on_graph>(d);
  t.on_node = thunk<"on_node", &mo_transformation_def::on_node>(d);
  t.on_match = thunk<"on_match", &mo_transformation_def::on_match>(d);
  t.release = thunk<"release", &mo_transformation_def::release>(d);
  t.plugin = &plugin;
  return t;
}

}  // namespace mo::core
