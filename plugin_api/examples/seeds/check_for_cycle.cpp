// A model with a cycle cannot be converted: extensions/middle/CheckForCycle.py, generic middle phase.
#include "seeds.hpp"

namespace seeds {

struct CheckForCycle : mo::MiddleReplacementPattern {
  CheckForCycle() {
    id = "seeds.middle.check_for_cycle";
    doc = "refuses graphs with cycles";
  }
  // The host names the nodes of the cycle in its error.
  void find_and_replace_pattern(mo::Graph graph) override { (void)graph.topological(); }
};

void register_check_for_cycle(mo::Registry& registry) { registry.transformation<CheckForCycle>(); }

}  // namespace seeds
