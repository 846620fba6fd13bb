// Letting a transformation work on graphs.
#pragma once

#include "apps/plugin_check/graphs.hpp"
#include "core/schedule/schedule.hpp"

namespace mo::app::checks {

std::string shown_graph(const core::Graph&);

const core::Transformation& transformation_at(Setting&, const std::string& id);
// By itself, that is: Skipped for one that waits for a configuration file.
const core::Transformation& one_that_runs(Setting&, const std::string& id);

struct Applied {
  std::optional<core::Failure> failure;
  bool edited = false;
};
Applied apply_once(core::Session&, core::Graph&, const core::Transformation&);

inline constexpr size_t graphs_of_a_case = 12, operations_of_a_graph = 4;

// f(graph, transformation) on each graph; the session checks everything after each edit.
template <class F>
void each_graph(Setting& s, const std::string& id, F f) {
  const core::Transformation& t = one_that_runs(s, id);
  s.session().set_option(core::schedule_options::check_graph, true);
  for (const core::GraphPtr& g : graphs_for(s, t, s.seed, graphs_of_a_case, operations_of_a_graph)) f(*g, t);
}

}  // namespace mo::app::checks
