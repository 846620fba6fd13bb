#include "support/microsoft.hpp"

namespace mo::onnx::ms {

OutPort gather(const Build& b, const OutPort& x, const OutPort& indices, int64_t axis, int64_t batch_dims) {
  return b.node("Gather", "opset8", {x, indices, b.integer(axis)}).set("batch_dims", batch_dims).out_port();
}

Ports split(const Build& b, const OutPort& x, int64_t axis, uint32_t count) {
  const Node s = b.node("Split", "opset1", {x, b.integer(axis)}, count);
  s.set("num_splits", static_cast<int64_t>(count));
  return s.out_ports();
}

Ports split(const Build& b, const OutPort& x, int64_t axis, const OutPort& sizes, uint32_t count) {
  return b.node("VariadicSplit", "opset1", {x, b.integer(axis), sizes}, count).out_ports();
}

static size_t image_rank(const OutPort& x, size_t rank) {
  const Shape s = x.shape();
  require(!s.has_rank() || s.rank() >= 3, "the data have shape ", s, ", expected at least 3 dimensions");
  return s.has_rank() ? s.size() : rank;
}

OutPort channels_first(const Build& b, const OutPort& x, size_t rank) {
  rank = image_rank(x, rank);
  Ints order{0, static_cast<int64_t>(rank) - 1};
  for (size_t i = 1; i + 1 < rank; ++i) order.push_back(static_cast<int64_t>(i));
  return b.transpose(x, order);
}

OutPort channels_last(const Build& b, const OutPort& x, size_t rank) {
  rank = image_rank(x, rank);
  Ints order{0};
  for (size_t i = 2; i < rank; ++i) order.push_back(static_cast<int64_t>(i));
  order.push_back(1);
  return b.transpose(x, order);
}

OutPort optional(const Build& b, size_t i) { return b.has(i) ? b.in(i) : OutPort(); }

OutPort plus_input(const Build& b, const OutPort& x, size_t i) { return b.has(i) ? b.add(x, b.in(i)) : x; }

OutPort gelu(const Build& b, const OutPort& x, bool tanh) {
  return b.node("Gelu", "opset7", {x}).set("approximation_mode", tanh ? "tanh" : "erf").out_port();
}

OutPort silu(const Build& b, const OutPort& x) { return b.op("Swish", "opset4", {x}); }

OutPort activated(const Build& b, const OutPort& x, std::string_view activation,
                  const std::vector<double>& numbers) {
  const auto number = [&](size_t i, double fallback) { return i < numbers.size() ? numbers[i] : fallback; };
  const auto constant = [&](size_t i, double fallback, const Ints& dims) {
    return b.like(b.in(0), {number(i, fallback)}, dims);
  };
  if (activation.empty()) return x;
  if (activation == "Relu") return b.op("ReLU", "opset1", {x});
  if (activation == "Sigmoid" || activation == "Tanh") return b.op(activation, "opset1", {x});
  if (activation == "HardSwish") return b.op("HSwish", "opset4", {x});
  if (activation == "Softplus") return b.op("SoftPlus", "opset4", {x});
  if (activation == "LeakyRelu") return b.op("PReLU", "opset1", {x, constant(0, 0.01, {1})});
  if (activation == "HardSigmoid")
    return b.op("HardSigmoid", "opset1", {x, constant(0, 0.2, {}), constant(1, 0.5, {})});
  if (activation == "Clip") {
    constexpr double largest = std::numeric_limits<float>::max();
    return b.clamp(x, number(0, -largest), number(1, largest));
  }
  if (activation == "Elu") {
    return b.node("Elu", "opset1", {x}).set("alpha", number(0, 1.0)).out_port();
  }
  fail("attribute 'activation' is '", activation, "', expected Relu, LeakyRelu, Sigmoid, Tanh, HardSigmoid, ",
       "HardSwish, Clip, Elu or Softplus");
}

namespace {

bool is_short_float(ElementType t) { return t == ElementType::f16 || t == ElementType::bf16; }

// As f32 when input 0 is shorter.
OutPort widened(const Build& b, const OutPort& x) {
  return is_short_float(b.in(0).type()) ? b.convert(x, ElementType::f32) : x;
}
OutPort narrowed(const Build& b, const OutPort& x) {
  const ElementType type = b.in(0).type();
  return is_short_float(type) ? b.convert(x, type) : x;
}
OutPort number_like_widened(const Build& b, double v) {
  if (!is_short_float(b.in(0).type())) return b.like(b.in(0), v);
  return b.constant(Tensor::filled(b.context(), ElementType::f32, {v}, {}));
}

OutPort inverse_root(const Build& b, const OutPort& mean_of_squares, double epsilon) {
  const OutPort sum = b.add(mean_of_squares, number_like_widened(b, epsilon));
  return b.divide(number_like_widened(b, 1), b.op("Sqrt", "opset1", {sum}));
}
OutPort squares(const Build& b, const OutPort& x) {
  return b.op("Power", "opset1", {x, number_like_widened(b, 2)});
}

}  // namespace

Normalized layer_norm(const Build& b, const OutPort& x, const OutPort& scale, const OutPort& shift,
                      double epsilon, bool wants_statistics, int64_t axis) {
  Normalized n;
  const OutPort axes = axis == -1 ? b.list({-1}) : b.axes(x, axis, INT64_MAX);
  const Node mvn = b.node("MVN", "opset6", {x, axes});
  mvn.set("normalize_variance", true).set("eps", epsilon).set("eps_mode", "inside_sqrt");
  n.y = b.multiply(mvn.out_port(), scale);
  if (shift) n.y = b.add(n.y, shift);
  if (!wants_statistics) return n;
  const OutPort wide = widened(b, x);
  n.mean = b.reduce("ReduceMean", wide, axes, true);
  n.inverse =
      inverse_root(b, b.reduce("ReduceMean", squares(b, b.subtract(wide, n.mean)), axes, true), epsilon);
  return n;
}

Normalized rms_norm(const Build& b, const OutPort& x, const OutPort& scale, double epsilon,
                    bool wants_statistics, int64_t axis) {
  Normalized n;
  const OutPort axes = axis == -1 ? b.list({-1}) : b.axes(x, axis, INT64_MAX);
  const OutPort wide = widened(b, x);
  const OutPort inverse = inverse_root(b, b.reduce("ReduceMean", squares(b, wide), axes, true), epsilon);
  n.y = b.multiply(narrowed(b, b.multiply(wide, inverse)), scale);
  if (wants_statistics) n.inverse = inverse;
  return n;
}

}  // namespace mo::onnx::ms
