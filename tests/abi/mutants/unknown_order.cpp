// After a transformation of which only a misspelt name is known.
#include "mutants.hpp"

namespace mutants {

namespace {

template <bool wrong>
struct UnknownOrder : mo::ModelPass {
  UnknownOrder() : ModelPass(MO_PHASE_BACK) {
    id = "mutants.unknown_order";
    doc = "looks at the graph";
    run_after = {wrong ? "bakc.start" : "back.start"};
  }
  void run_on_model(mo::Graph) override {}
};

void add_unknown_order(mo::Registry& r, bool wrong) {
  if (wrong)
    r.transformation<UnknownOrder<true>>();
  else
    r.transformation<UnknownOrder<false>>();
}

}  // namespace

const Mutant unknown_order{"unknown_order", add_unknown_order};

}  // namespace mutants
