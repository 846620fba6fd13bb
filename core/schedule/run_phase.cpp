#include <algorithm>

#include "core/infer/infer.hpp"
#include "core/schedule/runner.hpp"
#include "core/schedule/unknown_types.hpp"
#include "core/schedule/watch.hpp"

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

size_t last_step(const std::vector<RunStatistics>* statistics) {
  size_t last = 0;
  if (statistics != nullptr)
    for (const RunStatistics& s : *statistics) last = std::max(last, s.step);
  return last;
}

bool edited(const std::vector<RunStatistics>& members) {
  return std::any_of(members.begin(), members.end(), [](const RunStatistics& s) { return s.edits != 0; });
}

// It was asked for, and no candidate came.
bool found_nothing(const std::vector<RunStatistics>& members, std::string_view id) {
  return std::any_of(members.begin(), members.end(), [&](const RunStatistics& s) {
    return s.id == id && s.runs && s.matches == 0 && s.declined == 0;
  });
}

}  // namespace

void run_phase(Session& session, Graph& g, const std::vector<Scheduled>& schedule, int32_t phase,
               std::vector<RunStatistics>* statistics, Watch* watch) {
  const auto phases = phases_of(schedule);
  const auto begin =
      static_cast<size_t>(std::lower_bound(phases.begin(), phases.end(), phase) - phases.begin());
  const auto end =
      static_cast<size_t>(std::upper_bound(phases.begin(), phases.end(), phase) - phases.begin());
  if (phase >= MO_PHASE_PRE_MIDDLE) session.authors.note_inferred();
  std::optional<ModelOutputs> outputs;
  size_t step = last_step(statistics);
  for (size_t i = begin; i < end;) {
    std::vector<const Transformation*> members;
    size_t next = i;
    do {
      if (schedule[next].transformation != nullptr && schedule[next].runs)
        members.push_back(schedule[next].transformation);
      ++next;
    } while (next < end && same_group(schedule[i], schedule[next]));
    i = next;
    if (members.empty() || (watch != nullptr && !watch->may_run())) continue;
    Runner runner(session, g, members, 0, &outputs);
    auto list = runner.run();
    if (edited(list)) {
      ++step;
      for (RunStatistics& s : list) s.step = step;
    }
    if (watch != nullptr)
      watch->has_run({g, list, runner.journal().edits(), [&](size_t edit) { return runner.author(edit); }});
    for (const Transformation* t : members)
      if (t->plugin != nullptr && !t->plugin->built_in && found_nothing(list, t->id))
        warn_of_unknown_types(session, g, *t);
    if (statistics != nullptr) std::move(list.begin(), list.end(), std::back_inserter(*statistics));
  }
  if (phase < MO_PHASE_PRE_MIDDLE || !g.has_marked()) return;
  try {
    infer_marked(session, g);
  } catch (Failure& f) {
    session.authors.blame(f, *session.space());
    throw;
  }
}

RunStatistics run_transformation(Session& session, Graph& g, const Transformation& t) {
  std::optional<ModelOutputs> outputs;
  const bool top = g.parent() == nullptr && g.journal() == nullptr;
  return Runner(session, g, {&t}, 0, top ? &outputs : nullptr).run().front();
}

}  // namespace mo::core
