// Softmax in its forms: over one axis, or over all but the batch.
#include "support/numbers.hpp"
#include "support/registering.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace softmax {

static OutPort over(const Build& b, const OutPort& x, int64_t axis) {
  const Shape s = shape_of(b, x);
  const int64_t known = axis < 0 && s.has_rank() ? axis + s.rank() : axis;
  const Node n = b.node("SoftMax", known < 0 ? "opset8" : "opset1", {x});
  n.set("axis", known);
  return n.out_port();
}

// All but the batch counts as one axis.
static OutPort of_rows(const Build& b, const OutPort& x) {
  if (rank_of(b, x) == 2) return over(b, x, 1);
  const OutPort flat = over(b, b.reshape(x, Ints{0, -1}), 1);
  return b.reshape(flat, b.shape_of(x));
}

static OutPort cooled(const Build& b, const SourceNode& n, const OutPort& x) {
  const double temperature = n.native("temperature", 1.0);
  return temperature == 1 ? x : divide(b, x, b.like(x, temperature));
}

static void refuse_lengths(const Build& b, const SourceNode& n) {
  require(!n.native("use_length", false) && !b.has(1),
          "a softmax of the first elements (use_length) is not supported");
}

static Ports axis(Build& b, const SourceNode& n) {
  refuse_lengths(b, n);
  return {over(b, cooled(b, n, b.in(0)), n.native("axis", -1))};
}

static Ports logarithm(Build& b, const SourceNode& n) {
  refuse_lengths(b, n);
  const Node l = b.node("LogSoftmax", "opset5", {cooled(b, n, b.in(0))});
  l.set("axis", n.native("axis", -1));
  return {l.out_port()};
}

static Ports softmin(Build& b, const SourceNode& n) {
  refuse_lengths(b, n);
  const OutPort minus = b.op("Negative", "opset1", {b.in(0)});
  return {over(b, cooled(b, n, minus), n.native("axis", -1))};
}

static Ports activation(Build& b, const SourceNode& n) {
  const auto mode = n.native("mode", "instance");
  require(mode == "instance" || mode == "channel", "attribute 'mode' is '", mode,
          "'; expected instance or channel");
  return {mode == "channel" ? over(b, b.in(0), 1) : of_rows(b, b.in(0))};
}

static Ports output(Build& b, const SourceNode& n) {
  if (n.native("multi_output", false)) return {over(b, b.in(0), 1)};
  if (n.native("preserve_shape", false)) return {over(b, b.in(0), -1)};
  return {of_rows(b, b.in(0))};
}

static Ports logistic(Build& b, const SourceNode&) { return {b.op("Sigmoid", "opset1", {b.in(0)})}; }

}  // namespace softmax

void register_softmax(Registry& r) {
  convert<softmax::axis>(r, "softmax _npx_softmax", "softmax(x)", "SoftMax(Divide(x, temperature))");
  convert<softmax::logarithm>(r, "log_softmax _npx_log_softmax", "log_softmax(x)",
                              "LogSoftmax(Divide(x, temperature))");
  convert<softmax::softmin>(r, "softmin", "softmin(x)", "SoftMax(Negative(x))");
  convert<softmax::activation>(r, "SoftmaxActivation", "SoftmaxActivation(x)",
                               "SoftMax(x), or Reshape(SoftMax(Reshape(x)))");
  convert<softmax::output>(r, "SoftmaxOutput Softmax", "SoftmaxOutput(x, label)",
                           "SoftMax(x), or Reshape(SoftMax(Reshape(x)))");
  convert<softmax::logistic>(r, "LogisticRegressionOutput", "LogisticRegressionOutput(x, label)",
                             "Sigmoid(x)");
}

}  // namespace mo::mxnet
