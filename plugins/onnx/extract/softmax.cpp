// From version 13 on they work along one axis. What they did before: front/flat_softmax.cpp.
#include "support/extract.hpp"

namespace mo::onnx {

static void extract_softmax(SourceNode& n) {
  const auto axis = n.native("axis", -1);
  n.set_op("SoftMax", axis < 0 ? "opset8" : "opset1");
  n.set("axis", axis);
}

static void extract_log_softmax(SourceNode& n) {
  n.set_op("LogSoftmax", "opset5");
  copy(n, "axis", -1);
}

void register_softmax(Registry& r) {
  extract<extract_softmax>(r, "Softmax", 13);
  extract<extract_log_softmax>(r, "LogSoftmax", 13);
}

}  // namespace mo::onnx
