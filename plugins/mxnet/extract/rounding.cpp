// Half away from zero, and half to the even number.
#include "support/registering.hpp"

namespace mo::mxnet {

static void extract_round(SourceNode& n) {
  n.set_op("Round", "opset5");
  n.set("mode", "half_away_from_zero");
}

static void extract_rint(SourceNode& n) {
  n.set_op("Round", "opset5");
  n.set("mode", "half_to_even");
}

void register_rounding(Registry& r) {
  extract<extract_round>(r, "round");
  extract<extract_rint>(r, "rint");
}

}  // namespace mo::mxnet
