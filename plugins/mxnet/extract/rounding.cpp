// Half away from zero, and half to the even number.
#include "support/items.hpp"

namespace mo::mxnet {

static void extract_round(SourceNode& n) {
  n.set_op("Round", "opset5");
  n.set("mode", "half_away_from_zero");
}

static void extract_rint(SourceNode& n) {
  n.set_op("Round", "opset5");
  n.set("mode", "half_to_even");
}

// Towards zero.
static Ports fix(Build& b, const SourceNode&) {
  const OutPort x = b.in(0), size = b.op("Floor", "opset1", {b.op("Abs", "opset1", {x})});
  return {b.op("Multiply", "opset1", {b.op("Sign", "opset1", {x}), size})};
}

void register_rounding(Items& items) {
  items.extract<extract_round>("round");
  items.extract<extract_rint>("rint");
  items.convert<fix>("fix trunc");
}

}  // namespace mo::mxnet
