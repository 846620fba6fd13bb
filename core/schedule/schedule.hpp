// Ordering and running transformations.
#pragma once

#include "core/registry/session.hpp"

namespace mo::core {

// Options of the session that running transformations obeys; set through Session::set_option.
namespace schedule_options {
// bool: after each transformation that edited something all of the graph is checked, not only what was
// touched. Debug builds always do.
inline constexpr std::string_view check_graph = "check_graph";
// int: edits that one callback may make; absent: a million, and 64 for each node.
inline constexpr std::string_view most_edits = "most_edits";
}  // namespace schedule_options

struct ScheduleOptions {
  std::string framework;                       // empty: no transformation is left out for its framework
  std::vector<std::string> enabled, disabled;  // ids; MO_ENABLED_TRANSFORMS, MO_DISABLED_TRANSFORMS
  bool with_reasons = true;                    // else nobody is told why something stands where it does
};

// One entry of the order: an anchor ("front.start") or a transformation, and why it stands where it does.
struct Scheduled {
  std::string id;
  const Transformation* transformation = nullptr;  // nullptr: an anchor
  bool runs = true;  // false: switched off, for another framework, or waiting for a configuration file
  std::string why;   // empty without reasons
  std::string why_not = {};  // of one that does not run
};

// Stable topological order around the anchors load, front, pre_middle, middle, post_middle, back, emit (each
// .start and .finish). By default a transformation stands between the two anchors of its phase; stating
// run_after or run_before drops that default only; "id?" there
// says nothing where no transformation has the id. Independent of the order of loading: ties by (phase,
// plugin id, registration). Matchers of one group stand together. Failure (Exit::plugin) names the chain of a
// cycle with its plugins, and unknown ids with the nearest known one; Failure (Exit::usage) unknown ids of
// the options.
std::vector<Scheduled> make_schedule(const Session&, const ScheduleOptions&);
// The transformations that a user means by these ids, who may name a group, too. Failure (Exit::usage) when
// there is none of one of them "to be `what`".
std::vector<std::string> ids_meant(const Session&, const std::vector<std::string>& ids,
                                   std::string_view what);

struct Decline {
  std::string node, why;
};

struct RunStatistics {
  std::string id;
  // Counts, over all phases, what edited something: 1, 2, …; 0: this edited nothing. Matchers of one group
  // share a traversal and a number.
  size_t step = 0;
  bool runs = true;  // its condition holds
  double seconds = 0;
  // Matches: callbacks that edited something. A match that was declined, or left the graph as it was, is
  // declined.
  size_t matches = 0, declined = 0, edits = 0, nodes_before = 0, nodes_after = 0;
  std::vector<Decline> declines;  // those with a reason, the first 10 000
};

class Watch;

// Runs every scheduled transformation of one phase on the graph and, where recursive, its bodies. A failing
// transformation leaves the graph as it was before it and throws a Failure that names plugin, transformation,
// node. What an entry between two phases belongs to is decided by its own phase, as far as the order allows.
// From the middle on, what is marked at the end of a phase is inferred.
void run_phase(Session&, Graph&, const std::vector<Scheduled>&, int32_t phase,
               std::vector<RunStatistics>* statistics = nullptr, Watch* watch = nullptr);
// One transformation, now; on a graph that is being edited by another one as a part of that.
RunStatistics run_transformation(Session&, Graph&, const Transformation&);

}  // namespace mo::core
