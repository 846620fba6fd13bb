#include <algorithm>

#include "core/infer/infer.hpp"
#include "core/schedule/runner.hpp"

namespace mo::core {

namespace {

// In which phase each entry is run. What stands behind a phase's finish and before the next start belongs to
// that phase, up to the first transformation of a later one.
std::vector<int32_t> phases_of(const std::vector<Scheduled>& schedule) {
  std::vector<int32_t> phases;
  int32_t phase = MO_PHASE_LOAD;
  bool between = false;
  for (const Scheduled& s : schedule) {
    const bool anchor = s.transformation == nullptr;
    if (between && (anchor || s.transformation->phase > phase)) {
      ++phase;
      between = false;
    }
    phases.push_back(phase);
    if (anchor && s.id.ends_with(".finish")) between = true;
  }
  return phases;
}

bool same_group(const Scheduled& a, const Scheduled& b) {
  return a.transformation != nullptr && b.transformation != nullptr && !a.transformation->group.empty() &&
         a.transformation->group == b.transformation->group;
}

}  // namespace

void run_phase(Session& session, Graph& g, const std::vector<Scheduled>& schedule, int32_t phase,
               std::vector<RunStatistics>* statistics) {
  const auto phases = phases_of(schedule);
  const auto begin =
      static_cast<size_t>(std::lower_bound(phases.begin(), phases.end(), phase) - phases.begin());
  const auto end =
      static_cast<size_t>(std::upper_bound(phases.begin(), phases.end(), phase) - phases.begin());
  std::optional<ModelOutputs> outputs;
  for (size_t i = begin; i < end;) {
    std::vector<const Transformation*> members;
    size_t next = i;
    do {
      if (schedule[next].transformation != nullptr && schedule[next].runs)
        members.push_back(schedule[next].transformation);
      ++next;
    } while (next < end && same_group(schedule[i], schedule[next]));
    i = next;
    if (members.empty()) continue;
    auto list = Runner(session, g, members, 0, &outputs).run();
    if (statistics != nullptr) std::move(list.begin(), list.end(), std::back_inserter(*statistics));
  }
  if (phase >= MO_PHASE_PRE_MIDDLE && g.has_marked()) infer_marked(session, g);
}

RunStatistics run_transformation(Session& session, Graph& g, const Transformation& t) {
  std::optional<ModelOutputs> outputs;
  const bool top = g.parent() == nullptr && g.journal() == nullptr;
  return Runner(session, g, {&t}, 0, top ? &outputs : nullptr).run().front();
}

}  // namespace mo::core
