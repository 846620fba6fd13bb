// Reductions: the axes are an input.
#include <mo/extract_reductions.hpp>

#include "support/extract.hpp"

namespace mo::tflite {

void register_reduce(Registry& r) {
  extract<extract_reduction<"ReduceSum">>(r, "SUM");
  extract<extract_reduction<"ReduceMean">>(r, "MEAN");
  extract<extract_reduction<"ReduceMax">>(r, "REDUCE_MAX");
  extract<extract_reduction<"ReduceMin">>(r, "REDUCE_MIN");
  extract<extract_reduction<"ReduceProd">>(r, "REDUCE_PROD");
  extract<extract_reduction<"ReduceLogicalAnd">>(r, "REDUCE_ALL");
  extract<extract_reduction<"ReduceLogicalOr">>(r, "REDUCE_ANY");
  extract<extract_running_sum>(r, "CUMSUM");
}

}  // namespace mo::tflite
