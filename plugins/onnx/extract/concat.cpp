#include "support/extract.hpp"

namespace mo::onnx {

static void extract_concat(SourceNode& n) {
  const auto axis = n.version() < 4 ? n.native("axis", 1) : n.native<int64_t>("axis");
  n.set_op("Concat", "opset1");
  n.set("axis", axis);
}

void register_concat(Registry& r) { extract<extract_concat>(r, "Concat"); }

}  // namespace mo::onnx
