#include "support/extract.hpp"

namespace mo::onnx {

static void extract_gather_nd(SourceNode& n) {
  const auto batch = n.native("batch_dims", 0);
  // Version 5 flattens the batch dimensions of the output.
  n.set_op("GatherND", batch == 0 ? "opset5" : "opset8");
  n.set("batch_dims", batch);
}

void register_gather_nd(Registry& r) { extract<extract_gather_nd>(r, "GatherND"); }

}  // namespace mo::onnx
