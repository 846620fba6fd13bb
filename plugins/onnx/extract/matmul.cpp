#include "support/extract.hpp"

namespace mo::onnx {

static void extract_matmul(SourceNode& n) {
  n.set_op("MatMul", "opset1");
  n.set("transpose_a", false).set("transpose_b", false);
}

void register_matmul(Registry& r) { extract<extract_matmul>(r, "MatMul"); }

}  // namespace mo::onnx
