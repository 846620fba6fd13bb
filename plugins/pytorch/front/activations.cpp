// Activation functions.
#include "support/values.hpp"

#include <mo/extract.hpp>

namespace mo::pytorch {

namespace activations {

static OutPort input(const Call& c) { return c.tensor("self"); }

template <Name Type, Name Opset = "opset1">
static Ports plain(const Call& c) {
  return {c.b.op(Type, Opset, {input(c)})};
}

static Ports relu6(const Call& c) { return {c.b.clamp(input(c), 0, 6)}; }

static Ports hard_tanh(const Call& c) {
  return {c.b.clamp(input(c), c.number("min_val", -1), c.number("max_val", 1))};
}

static OutPort leaky(const Call& c, double slope) {
  return c.op1("PReLU", {input(c), c.b.like(input(c), {slope}, {1})});
}
static Ports leaky_relu(const Call& c) { return {leaky(c, c.number("negative_slope", 0.01))}; }
// Slopes are drawn in training; otherwise it is the mean one.
static Ports random_relu(const Call& c) {
  require(!c.flag("training", false), "rrelu draws its slopes in training; export the model after eval()");
  return {leaky(c, (c.number("lower", 0.125) + c.number("upper", 1.0 / 3)) / 2)};
}
// One slope, or one for each channel, the entries of dimension 1.
static Ports parametric_relu(const Call& c) {
  const OutPort x = input(c);
  OutPort slope = c.tensor("weight");
  const size_t rank = c.rank(x);
  if (c.rank(slope) == 0) slope = c.b.reshape(slope, Ints{1});
  const Shape s = slope.shape();
  if (rank > 2 && !(s.rank() == 1 && s[0] == Dim(1))) {
    Ints dims(rank - 1, 1);
    dims[0] = -1;
    slope = c.b.reshape(slope, dims);
  }
  return {c.op1("PReLU", {x, slope})};
}

static OutPort exponential(const Call& c, const OutPort& x, double alpha) {
  return c.b.node("Elu", "opset1", {x}).set("alpha", alpha).out_port();
}
static Ports elu(const Call& c) {
  const OutPort x = input(c);
  const double alpha = c.number("alpha", 1), scale = c.number("scale", 1), inner = c.number("input_scale", 1);
  if (scale == 1 && inner == 1) return {exponential(c, x, alpha)};
  OutPort y;
  if (inner == 1) {
    y = exponential(c, x, alpha);
  } else {
    const OutPort below = exponential(c, c.b.multiply(x, c.like(x, inner)), alpha);
    y = c.b.select(is_less(c, x, c.like(x, 0)), below, x);
  }
  return {c.b.multiply(y, c.like(y, scale))};
}
static Ports celu(const Call& c) {
  const OutPort x = input(c);
  const double alpha = c.number("alpha", 1);
  require(alpha != 0, "argument 'alpha' is 0");
  if (alpha == 1) return {exponential(c, x, 1)};
  const OutPort below = exponential(c, c.b.divide(x, c.like(x, alpha)), 1);
  return {c.b.multiply(below, c.like(x, alpha))};
}
static Ports selu(const Call& c) {
  const OutPort x = input(c);
  return {c.op1("Selu", {x, c.like(x, 1.6732632423543772848), c.like(x, 1.0507009873554804934)})};
}

static Ports gelu(const Call& c) {
  const auto how = c.word("approximate", "none");
  require(how == "none" || how == "tanh", "argument 'approximate' is '", how, "', expected none or tanh");
  const Node g = c.b.node("Gelu", "opset7", {input(c)});
  return {g.set("approximation_mode", how == "none" ? "erf" : "tanh").out_port()};
}

// x itself where beta * x is above the threshold: the numbers differ by less than floats tell apart there.
static Ports soft_plus(const Call& c) {
  const OutPort x = input(c);
  const double beta = c.number("beta", 1), threshold = c.number("threshold", 20);
  require(beta != 0, "argument 'beta' is 0");
  const OutPort steep = beta == 1 ? x : c.b.multiply(x, c.like(x, beta));
  OutPort y = c.b.op("SoftPlus", "opset4", {steep});
  if (beta != 1) y = c.b.divide(y, c.like(x, beta));
  if (threshold < 20) y = c.b.select(c.op1("Greater", {steep, c.like(x, threshold)}), x, y);
  return {y};
}

static OutPort log_of_sigmoid(const Call& c) {
  return c.op1("Negative", {c.b.op("SoftPlus", "opset4", {c.op1("Negative", {input(c)})})});
}
static Ports log_sigmoid(const Call& c) { return {log_of_sigmoid(c)}; }
// The second result is for the way back.
static Ports log_sigmoid_forward(const Call& c) { return {log_of_sigmoid(c), {}}; }

static Ports gated(const Call& c) {
  const auto axis = static_cast<int64_t>(c.axis("dim", -1, c.rank(input(c))));
  const Ports halves = c.b.split(input(c), axis, 2);
  return {c.b.multiply(halves[0], sigmoid(c, halves[1]))};
}

static Ports hard_shrink(const Call& c) {
  const OutPort x = input(c);
  const OutPort small = c.op1("LessEqual", {c.op1("Abs", {x}), c.like(x, c.number("lambd", 0.5))});
  return {c.b.select(small, c.like(x, 0), x)};
}
static Ports soft_shrink(const Call& c) {
  const OutPort x = input(c);
  const double limit = c.number("lambd", 0.5);
  return {c.b.subtract(x, c.b.clamp(x, -limit, limit))};
}
static Ports threshold(const Call& c) {
  const OutPort x = input(c);
  const OutPort below = c.op1("LessEqual", {x, c.scalar("threshold", x)});
  return {c.b.select(below, c.scalar("value", x), x)};
}

// The type is another one first, where the call says so.
static OutPort as_asked(const Call& c) {
  const OutPort x = input(c);
  const ElementType type = c.dtype("dtype", c.result_type());
  return c.b.convert(x, is_float(type) ? type : x.type());
}

static Ports softmax(const Call& c) {
  const OutPort x = as_float(c, as_asked(c));
  if (c.rank(x) == 0) return {c.like(x, 1)};
  return {c.b.softmax(x, static_cast<int64_t>(c.axis("dim", -1, c.rank(x))))};
}
// Rows of nothing but -inf give zeros.
static Ports safe_softmax(const Call& c) {
  const OutPort x = as_float(c, as_asked(c));
  const auto axis = static_cast<int64_t>(c.axis("dim", -1, c.rank(x)));
  const OutPort most = c.b.reduce("ReduceMax", x, c.b.list({axis}), true);
  const OutPort nothing = c.op1("Equal", {most, c.like(x, -std::numeric_limits<double>::infinity())});
  return {c.b.select(nothing, c.like(x, 0), c.b.softmax(x, axis))};
}
static Ports log_softmax(const Call& c) {
  const OutPort x = as_float(c, as_asked(c));
  if (c.rank(x) == 0) return {c.like(x, 0)};
  const Node n = c.b.node("LogSoftmax", "opset5", {x});
  return {n.set("axis", static_cast<int64_t>(c.axis("dim", -1, c.rank(x)))).out_port()};
}

}  // namespace activations

void register_activations(Registry& r) {
  using namespace activations;
  convert<plain<"HSwish", "opset4">>(r, "aten.hardswish.default", "hardswish(x)", "HSwish-4(x)");
  convert<plain<"HSigmoid", "opset5">>(r, "aten.hardsigmoid.default", "hardsigmoid(x)", "HSigmoid-5(x)");
  convert<plain<"Swish", "opset4">>(r, "aten.silu.default", "silu(x)", "Swish-4(x)");
  convert<plain<"Mish", "opset4">>(r, "aten.mish.default", "mish(x)", "Mish-4(x)");
  convert<relu6>(r, "aten.relu6.default", "relu6(x)", "Clamp(x)");
  convert<hard_tanh>(r, "aten.hardtanh.default", "hardtanh(x, min_val, max_val)", "Clamp(x)");
  convert<leaky_relu>(r, "aten.leaky_relu.default", "leaky_relu(x, negative_slope)", "PReLU(x, slope)");
  convert<random_relu>(r, "aten.rrelu.default aten.rrelu_with_noise.default", "rrelu(x, lower, upper)",
                       "PReLU(x, (lower + upper) / 2)");
  convert<parametric_relu>(r, "aten.prelu.default aten._prelu_kernel.default", "prelu(x, weight)",
                           "PReLU(x, Reshape(weight))");
  convert<elu>(r, "aten.elu.default", "elu(x, alpha, scale, input_scale)",
               "Elu(x), or Multiply(Select(Less(x, 0), Elu(Multiply(x, input_scale)), x), scale)");
  convert<celu>(r, "aten.celu.default", "celu(x, alpha)", "Multiply(Elu(Divide(x, alpha)), alpha)");
  convert<selu>(r, "aten.selu.default", "selu(x)", "Selu(x, alpha, scale)");
  convert<gelu>(r, "aten.gelu.default", "gelu(x, approximate)", "Gelu-7(x)");
  convert<soft_plus>(r, "aten.softplus.default", "softplus(x, beta, threshold)",
                     "Divide(SoftPlus-4(Multiply(x, beta)), beta)");
  convert<log_sigmoid>(r, "aten.log_sigmoid.default", "log_sigmoid(x)", "Negative(SoftPlus-4(Negative(x)))");
  convert<log_sigmoid_forward>(r, "aten.log_sigmoid_forward.default", "log_sigmoid_forward(x)",
                               "Negative(SoftPlus-4(Negative(x)))");
  convert<gated>(r, "aten.glu.default", "glu(x, dim)", "Multiply(a, Sigmoid(b)), a and b of Split(x)");
  convert<hard_shrink>(r, "aten.hardshrink.default", "hardshrink(x, lambd)",
                       "Select(LessEqual(Abs(x), lambd), 0, x)");
  convert<soft_shrink>(r, "aten.softshrink.default", "softshrink(x, lambd)", "Subtract(x, Clamp(x))");
  convert<threshold>(r, "aten.threshold.default", "threshold(x, threshold, value)",
                     "Select(LessEqual(x, threshold), value, x)");
  convert<softmax>(r, "aten.softmax.int aten._softmax.default aten.special_softmax.int", "softmax(x, dim)",
                   "SoftMax-8(x)");
  convert<safe_softmax>(r, "aten._safe_softmax.default", "_safe_softmax(x, dim)",
                        "Select(Equal(ReduceMax(x), -inf), 0, SoftMax-8(x))");
  convert<log_softmax>(r, "aten.log_softmax.int aten._log_softmax.default aten.special_log_softmax.int",
                       "log_softmax(x, dim)", "LogSoftmax-5(x)");
}

}  // namespace mo::pytorch
