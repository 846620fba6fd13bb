// Rule 256: a model computes after a transformation what it computed before.
#include "apps/plugin_check/graphs.hpp"
#include "apps/plugin_check/transformation_trial.hpp"
#include "apps/run/compare.hpp"
#include "core/infer/execute.hpp"
#include "core/infer/infer.hpp"

namespace mo::app::checks {

namespace {

// One value for each input; nothing when one has no size or no type.
std::optional<std::vector<core::TensorRef>> values_for(const core::Graph& g, uint64_t seed) {
  std::vector<core::TensorRef> values;
  for (const core::NodeId p : g.parameters()) {
    const core::TensorState& t = g.out({p, 0}).tensor;
    if (!t.shape.is_static() || t.type == ElementType::unknown || bits(t.type) == 0) return std::nullopt;
    Random random(seed + values.size());
    values.push_back(random_value(random, t.type, t.shape.to_static()));
  }
  return values;
}

std::vector<core::TensorState> input_tensors(const core::Graph& g) {
  std::vector<core::TensorState> list;
  for (const core::NodeId p : g.parameters()) list.push_back(g.out({p, 0}).tensor);
  return list;
}

// What it computes; nothing when it cannot be run, which is for other rules to judge.
std::optional<std::vector<core::TensorRef>> outputs_from(core::Session& session, core::Graph& g,
                                                         const std::vector<core::TensorRef>& values) {
  try {
    infer_all(session, g);
    std::vector<core::Failure> missing;
    return execute(session, g, values, &missing);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

double tolerance_of(ElementType t) { return is_float(t) && bits(t) <= 16 ? 0.05 : 0.01; }

void keeps_values(Setting& s, const std::string& id) {
  size_t compared = 0;
  each_graph(s, id, [&](core::Graph& g, const core::Transformation& t) {
    const core::GraphPtr before = g.clone();
    const std::string shown = shown_graph(g);
    const auto values = values_for(*before, s.seed);
    const auto had_inputs = input_tensors(*before);
    const Applied a = apply_once(s.session(), g, t);
    if (!values || a.failure || !a.edited) return;
    const auto has_inputs = input_tensors(g);
    // Whoever changes inputs says with what: there is nothing to compare.
    if (had_inputs.size() != has_inputs.size()) return;
    for (size_t i = 0; i < had_inputs.size(); ++i)
      if (had_inputs[i].type != has_inputs[i].type || !(had_inputs[i].shape == has_inputs[i].shape)) return;
    const auto was = outputs_from(s.session(), *before, *values);
    const auto is = outputs_from(s.session(), g, *values);
    if (!was || !is || was->size() != is->size()) return;
    for (size_t i = 0; i < was->size(); ++i) {
      const core::TensorRef &x = (*was)[i], &y = (*is)[i];
      if (!x || !y) continue;
      ++compared;
      const Difference d = compare(x, y);
      // Another type or size is rule 252's.
      if (!d.problem.empty() || d.within(tolerance_of(x->type))) continue;
      broken("output ", i, " differs by ", d.largest, " at ", d.index,
             " from what the model computed before\nbefore:\n", shown, "after:\n", shown_graph(g));
    }
  });
  if (compared == 0) throw Skipped{"no output of a graph that it changes can be computed before and after"};
}

constexpr CheckRow transformation_value_rows[] = {{256, keeps_values}};

}  // namespace

std::span<const CheckRow> transformation_value_checks() { return transformation_value_rows; }

}  // namespace mo::app::checks
