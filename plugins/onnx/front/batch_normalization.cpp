#include "support/build.hpp"

namespace mo::onnx {

// Up to version 8 the statistics may be those of each element and not of each channel.
static OutPort normalize_each_element(const Build& b, double epsilon) {
  const OutPort x = b.in(0);
  const OutPort deviation = b.op("Sqrt", "opset1", {b.op("Add", "opset1", {b.in(4), b.like(x, epsilon)})});
  const OutPort centred = b.op("Subtract", "opset1", {x, b.in(3)});
  const OutPort scaled =
      b.op("Multiply", "opset1", {b.op("Divide", "opset1", {centred, deviation}), b.in(1)});
  return b.op("Add", "opset1", {scaled, b.in(2)});
}

static Ports batch_normalization(Build& b, const SourceNode& n) {
  const double epsilon = n.native("epsilon", 1e-5);
  require(n.version() < 14 || n.native("training_mode", 0) == 0, "a model in training mode is not supported");
  for (size_t i = 1; i < n.out_count(); ++i)
    require(!b.wants(i), "output ", i, ", a statistic of the training, is read; this is not supported");
  Ports outputs(n.out_count());
  if (n.version() < 9 && n.native("spatial", 1) == 0) {
    outputs[0] = normalize_each_element(b, epsilon);
  } else {
    const Node norm = b.node("BatchNormInference", "opset5", {b.in(0), b.in(1), b.in(2), b.in(3), b.in(4)});
    norm.set("epsilon", epsilon);
    outputs[0] = norm.out_port();
  }
  return outputs;
}

void register_batch_normalization(Registry& r) {
  replace<batch_normalization>(r, {"BatchNormalization", "BatchNormalization(x, scale, bias, mean, variance)",
                                   "BatchNormInference(x, scale, bias, mean, variance)"});
}

}  // namespace mo::onnx
