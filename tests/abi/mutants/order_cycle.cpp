// In the middle, but after what comes after the middle: with it nothing at all is converted.
#include "mutants.hpp"

namespace mutants {

namespace {

template <bool wrong>
struct OrderCycle : mo::ModelPass {
  OrderCycle() : ModelPass(MO_PHASE_MIDDLE) {
    id = "mutants.order_cycle";
    doc = "looks at the graph";
    run_after = {wrong ? "post_middle.start" : "pre_middle.start"};
  }
  void run_on_model(mo::Graph) override {}
};

void add_order_cycle(mo::Registry& r, bool wrong) {
  if (wrong)
    r.transformation<OrderCycle<true>>();
  else
    r.transformation<OrderCycle<false>>();
}

}  // namespace

const Mutant order_cycle{"order_cycle", add_order_cycle};

}  // namespace mutants
