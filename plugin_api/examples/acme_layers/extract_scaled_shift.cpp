// From the ONNX operator ScaledShift (domain com.acme) to our operation: only attributes, no shapes, no
// surgery.
#include "acme_layers.hpp"

namespace acme {

static void extract_scaled_shift(mo::SourceNode& node) {
  node.set_op("ScaledShift", opset);
  // Without a default, an attribute that the model lacks is an error that names node and attribute.
  node.set("scale", node.native<double>("scale"));
  node.set("axis", node.native<int64_t>("axis", 1));
}

void register_scaled_shift_extractor(mo::Registry& registry) {
  registry.extractor<extract_scaled_shift>({"onnx", "com.acme", "ScaledShift"});
}

}  // namespace acme
