// Reductions: the axes are an input.
#include <mo/extract_reductions.hpp>

#include "support/extract.hpp"

namespace mo::tensorflow {

void register_reduce(Registry& r) {
  extract<extract_reduction<"ReduceSum">>(r, "Sum");
  extract<extract_reduction<"ReduceMean">>(r, "Mean");
  extract<extract_reduction<"ReduceMax">>(r, "Max");
  extract<extract_reduction<"ReduceMin">>(r, "Min");
  extract<extract_reduction<"ReduceProd">>(r, "Prod");
  extract<extract_reduction<"ReduceLogicalAnd">>(r, "All");
  extract<extract_reduction<"ReduceLogicalOr">>(r, "Any");
  extract<extract_reduction<"ReduceL2", "opset4">>(r, "EuclideanNorm");
  extract<extract_running_sum>(r, "Cumsum");
}

}  // namespace mo::tensorflow
