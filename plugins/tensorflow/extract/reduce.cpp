// Reductions: the axes are an input.
#include "support/extract.hpp"

namespace mo::tensorflow {

template <Name Type, Name Opset = "opset1">
static void reduction(SourceNode& n) {
  const bool keep = n.native("keep_dims", false);
  n.set_op(Type, Opset);
  n.set("keep_dims", keep);
}

static void extract_cumsum(SourceNode& n) {
  const bool exclusive = n.native("exclusive", false), reverse = n.native("reverse", false);
  n.set_op("CumSum", "opset3");
  n.set("exclusive", exclusive).set("reverse", reverse);
}

void register_reduce(Registry& r) {
  extract<reduction<"ReduceSum">>(r, "Sum");
  extract<reduction<"ReduceMean">>(r, "Mean");
  extract<reduction<"ReduceMax">>(r, "Max");
  extract<reduction<"ReduceMin">>(r, "Min");
  extract<reduction<"ReduceProd">>(r, "Prod");
  extract<reduction<"ReduceLogicalAnd">>(r, "All");
  extract<reduction<"ReduceLogicalOr">>(r, "Any");
  extract<reduction<"ReduceL2", "opset4">>(r, "EuclideanNorm");
  extract<extract_cumsum>(r, "Cumsum");
}

}  // namespace mo::tensorflow
