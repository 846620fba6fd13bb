#include "support/build.hpp"

namespace mo::onnx {

// Up to version 8 the statistics may be those of each element and not of each channel.
static OutPort normalize_each_element(const Build& b, double epsilon) {
  const OutPort x = b.in(0);
  const OutPort deviation = b.op("Sqrt", "opset1", {b.add(b.in(4), b.like(x, epsilon))});
  const OutPort centred = b.subtract(x, b.in(3));
  const OutPort scaled = b.multiply(b.divide(centred, deviation), b.in(1));
  return b.add(scaled, b.in(2));
}

// From version 14 on training can be asked for: the batch's own statistics are used, and outputs 1 and 2 are
// what the given ones become.
static Ports normalize_by_batch(const Build& b, const SourceNode& n, double epsilon) {
  const OutPort x = b.in(0);
  const auto op = [&](std::string_view t, const OutPort& l, const OutPort& r) {
    return b.op(t, "opset1", {l, r});
  };
  const auto per_channel = [&](const OutPort& list) {
    const OutPort end = op("Subtract", b.rank(x), b.integer(1));
    return b.unsqueeze(list, b.range(b.integer(1), end, 1));
  };
  const OutPort axes = b.concat({b.list({0}), b.axes(x, 2, INT64_MAX)});
  const OutPort mean = b.reduce("ReduceMean", x, axes, true), centred = op("Subtract", x, mean);
  const OutPort variance = b.reduce("ReduceMean", op("Multiply", centred, centred), axes, true);
  const OutPort deviation = b.op("Sqrt", "opset1", {op("Add", variance, b.like(x, epsilon))});
  const OutPort scaled = op("Multiply", op("Divide", centred, deviation), per_channel(b.in(1)));
  Ports outputs(n.out_count());
  outputs[0] = op("Add", scaled, per_channel(b.in(2)));
  const double momentum = n.native("momentum", 0.9);
  for (size_t i = 1; i < outputs.size() && i < 3; ++i) {
    if (!b.wants(i)) continue;
    const OutPort old = b.in(i + 2), now = b.op("Squeeze", "opset1", {i == 1 ? mean : variance, axes});
    outputs[i] =
        op("Add", op("Multiply", old, b.like(old, momentum)), op("Multiply", now, b.like(now, 1 - momentum)));
  }
  return outputs;
}

static Ports batch_normalization(Build& b, const SourceNode& n) {
  const double epsilon = n.native("epsilon", 1e-5);
  if (n.version() >= 14 && n.native("training_mode", 0) != 0) return normalize_by_batch(b, n, epsilon);
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
