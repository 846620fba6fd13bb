// Softmax in its forms: over one axis, or over all but the batch.
#include "support/numbers.hpp"
#include "support/registering.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace softmax {

static OutPort over(const Build& b, const OutPort& x, int64_t axis) {
  const Shape s = shape_of(b, x);
  const int64_t known = axis < 0 && s.has_rank() ? axis + s.rank() : axis;
  return b.node("SoftMax", known < 0 ? "opset8" : "opset1", {x}).set("axis", known).out_port();
}

// All but the batch counts as one axis.
static OutPort of_rows(const Build& b, const OutPort& x) {
  if (rank_of(b, x) == 2) return over(b, x, 1);
  const OutPort flat = over(b, b.reshape(x, Ints{0, -1}), 1);
  return b.reshape(flat, b.shape_of(x));
}

static OutPort cooled(const Build& b, const SourceNode& n, const OutPort& x) {
  const double temperature = n.native("temperature", 1.0);
  return temperature == 1 ? x : b.divide(x, b.like(x, temperature));
}

// Elements from the length of a row on take no part, and become 0.
template <class F>
static OutPort of_lengths(const Build& b, const SourceNode& n, const OutPort& x, F f) {
  const auto given = n.native("axis", -1);
  if (!n.native("use_length", false)) return f(x, given);
  const auto axis = static_cast<int64_t>(axis_of(b, x, given));
  const OutPort places = b.range(b.integer(0), b.reshape(b.dim(x, axis), b.list({})), 1);
  const OutPort inside = b.op("Less", "opset1",
                              {along(b, places, static_cast<size_t>(axis), rank_of(b, x)),
                               b.unsqueeze(as_index(b, b.in(1)), b.list({axis}))});
  constexpr double least = -1e30;
  return b.select(inside, f(b.select(inside, x, b.like(x, least)), axis), b.like(x, 0));
}

static OutPort log_over(const Build& b, const OutPort& x, int64_t axis) {
  return b.node("LogSoftmax", "opset5", {x}).set("axis", axis).out_port();
}

static Ports axis(Build& b, const SourceNode& n) {
  return {
      of_lengths(b, n, cooled(b, n, b.in(0)), [&](const OutPort& x, int64_t a) { return over(b, x, a); })};
}

static Ports logarithm(Build& b, const SourceNode& n) {
  return {of_lengths(b, n, cooled(b, n, b.in(0)),
                     [&](const OutPort& x, int64_t a) { return log_over(b, x, a); })};
}

static Ports softmin(Build& b, const SourceNode& n) {
  const OutPort minus = b.op("Negative", "opset1", {b.in(0)});
  return {of_lengths(b, n, cooled(b, n, minus), [&](const OutPort& x, int64_t a) { return over(b, x, a); })};
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

// The sum over all rows, of what the label says.
static Ports cross_entropy(Build& b, const SourceNode&) {
  const OutPort label = b.unsqueeze(as_index(b, b.in(1)), b.list({1}));
  const Node chosen = b.node("GatherElements", "opset6", {log_over(b, b.in(0), 1), label});
  chosen.set("axis", 1);
  const OutPort sum = b.reduce("ReduceSum", b.reshape(chosen.out_port(), Ints{-1}), b.list({0}), true);
  return {b.op("Negative", "opset1", {sum})};
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
  convert<softmax::cross_entropy>(r, "softmax_cross_entropy", "softmax_cross_entropy(x, label)",
                                  "Negative(ReduceSum(GatherElements(LogSoftmax(x), label)))");
  convert<softmax::logistic>(r, "LogisticRegressionOutput", "LogisticRegressionOutput(x, label)",
                             "Sigmoid(x)");
}

}  // namespace mo::mxnet
