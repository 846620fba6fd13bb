// Activations that are one operation. Those made of several: front/composed_activations.cpp.
#include "support/extract.hpp"

namespace mo::tensorflow {

static void extract_elu(SourceNode& n) {
  n.set_op("Elu", "opset1");
  n.set("alpha", 1.0);
}

static void extract_relu6(SourceNode& n) {
  n.set_op("Clamp", "opset1");
  n.set("min", 0.0).set("max", 6.0);
}

static void extract_softmax(SourceNode& n) {
  n.set_op("SoftMax", "opset8");
  n.set("axis", -1);
}

static void extract_log_softmax(SourceNode& n) {
  n.set_op("LogSoftmax", "opset5");
  n.set("axis", -1);
}

void register_activations(Registry& r) {
  extract<becomes<"ReLU">>(r, "Relu");
  extract<becomes<"Mish", "opset4">>(r, "Mish");
  extract<becomes<"SoftPlus", "opset4">>(r, "Softplus");
  extract<becomes<"Swish", "opset4">>(r, "swish_f32");
  extract<extract_elu>(r, "Elu");
  extract<extract_relu6>(r, "Relu6");
  extract<extract_softmax>(r, "Softmax");
  extract<extract_log_softmax>(r, "LogSoftmax");
}

}  // namespace mo::tensorflow
