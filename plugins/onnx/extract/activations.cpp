// Activations whose attributes are attributes of the operation, too.
#include "support/extract.hpp"

namespace mo::onnx {

static void extract_elu(SourceNode& n) {
  n.set_op("Elu", "opset1");
  copy(n, "alpha", 1.0);
}

static void extract_gelu(SourceNode& n) {
  const auto approximate = n.native("approximate", "none");
  n.set_op("Gelu", "opset7");
  n.set("approximation_mode", approximate == "none" ? std::string("erf") : approximate);
}

void register_activations(Registry& r) {
  extract<extract_elu>(r, "Elu");
  extract<extract_gelu>(r, "Gelu");
}

}  // namespace mo::onnx
