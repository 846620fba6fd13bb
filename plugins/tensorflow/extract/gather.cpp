// Slices that indices choose; those of Gather start at 0 and never count from the end.
#include "support/extract.hpp"

namespace mo::tensorflow {

static void extract_gather_v2(SourceNode& n) {
  const auto batch = n.native("batch_dims", 0);
  n.set_op("Gather", "opset7");
  n.set("batch_dims", batch);
}

static void extract_gather_nd(SourceNode& n) {
  n.set_op("GatherND", "opset5");
  n.set("batch_dims", 0);
}

void register_gather(Registry& r) {
  extract<extract_gather_v2>(r, "GatherV2");
  extract<extract_gather_nd>(r, "GatherNd");
  extract<extract_gather_nd>(r, "ResourceGatherNd");
  extract<becomes<"ScatterNDUpdate", "opset4">>(r, "TensorScatterUpdate");
  extract<becomes<"GatherTree">>(r, "GatherTree");
}

}  // namespace mo::tensorflow
