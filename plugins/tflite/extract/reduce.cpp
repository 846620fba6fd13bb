// Reductions: the axes are an input.
#include "support/extract.hpp"

namespace mo::tflite {

template <Name Type>
static void reduction(SourceNode& n) {
  const bool keep = n.native("keep_dims", false);
  n.set_op(Type, "opset1");
  n.set("keep_dims", keep);
}

static void extract_cumsum(SourceNode& n) {
  const bool exclusive = n.native("exclusive", false), reverse = n.native("reverse", false);
  n.set_op("CumSum", "opset3");
  n.set("exclusive", exclusive).set("reverse", reverse);
}

void register_reduce(Registry& r) {
  extract<reduction<"ReduceSum">>(r, "SUM");
  extract<reduction<"ReduceMean">>(r, "MEAN");
  extract<reduction<"ReduceMax">>(r, "REDUCE_MAX");
  extract<reduction<"ReduceMin">>(r, "REDUCE_MIN");
  extract<reduction<"ReduceProd">>(r, "REDUCE_PROD");
  extract<reduction<"ReduceLogicalAnd">>(r, "REDUCE_ALL");
  extract<reduction<"ReduceLogicalOr">>(r, "REDUCE_ANY");
  extract<extract_cumsum>(r, "CUMSUM");
}

}  // namespace mo::tflite
