// Front transformations of operators with a cache may lay its rows as they like when nobody outside the model sees them:
// the attribute "kept_caches" of the graph has the names of those inputs that back.keep_state will make state of.
// Inputs and outputs of the model belong together by names and options: no place of the graph is looked for.
#include "support/state_pairs.hpp"

namespace mo::builtin_passes {

class TellKeptCaches : public ModelPass {
 public:
  TellKeptCaches() : ModelPass(MO_PHASE_LOAD) {
    id = "front.tell_kept_caches";
    doc = "operators learn which inputs will be state of the model";
    before = after = "all";
    run_not_recursively = true;
  }
  bool graph_condition(Graph g) override { return keeps_caches(g.context()); }
  void run_on_model(Graph g) override {
    std::vector<std::string> names;
    for (const StatePair& p : cache_pairs(g)) names.push_back(p.input.name());
    if (!names.empty()) g.set("kept_caches", names);
  }
};

void register_tell_kept_caches(Registry& r) { r.transformation<TellKeptCaches>(); }

}  // namespace mo::builtin_passes
