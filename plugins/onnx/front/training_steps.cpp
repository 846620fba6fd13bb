// Adam, Adagrad and Momentum: a step of training is arithmetic of its tensors. Inputs are the rate, the
// number of the step, and then all tensors, all gradients and all of each kind of state; outputs the new
// tensors and states.
#include "support/microsoft.hpp"

namespace mo::onnx {

namespace training {

inline constexpr std::string_view domain = "ai.onnx.preview.training", also = "ai.onnx.training";

// The tensor i of group g, of `groups` behind the first two inputs.
struct Inputs {
  Inputs(const Build& from, const SourceNode& n, size_t groups) : b(from) {
    require(n.in_count() > 2 && (n.in_count() - 2) % groups == 0, "it has ", n.in_count(),
            " inputs, expected 2 and ", groups, " for each tensor");
    count = (n.in_count() - 2) / groups;
  }
  OutPort operator()(size_t group, size_t i) const { return b.in(2 + group * count + i); }
  const Build& b;
  size_t count = 0;
};

static OutPort times(const Build& b, const OutPort& x, double factor) {
  return b.multiply(x, b.like(x, factor));
}

// The gradient with that of the norm of x.
static OutPort regularized(const Build& b, const SourceNode& n, const OutPort& x, const OutPort& g) {
  const double norm = n.native("norm_coefficient", 0.0);
  return norm == 0 ? g : b.add(times(b, x, norm), g);
}

static OutPort first_step(const Build& b) {
  return b.op("LessEqual", "opset1", {b.convert(b.in(1), ElementType::i64), b.integer(0)});
}

}  // namespace training

static Ports adam(Build& b, const SourceNode& n) {
  using namespace training;
  const Inputs in(b, n, 4);
  const double alpha = n.native("alpha", 0.9), beta = n.native("beta", 0.999),
               epsilon = n.native("epsilon", 1e-6);
  const double after = n.native("norm_coefficient_post", 0.0);
  const OutPort rate = b.in(0), step = b.convert(b.in(1), ElementType::f32);
  // The averages begin at 0, which is made up for.
  const auto left = [&](double kept) {
    const auto f32 = [&](double v) {
      return b.constant(Tensor::filled(b.context(), ElementType::f32, {v}, {}));
    };
    const OutPort part = b.subtract(f32(1), b.op("Power", "opset1", {f32(kept), step}));
    return b.op("ConvertLike", "opset1", {b.select(first_step(b), f32(1), part), rate});
  };
  const OutPort adjusted = b.divide(b.multiply(rate, b.op("Sqrt", "opset1", {left(beta)})), left(alpha));
  Ports tensors, means, squares;
  for (size_t i = 0; i < in.count; ++i) {
    const OutPort x = in(0, i), g = regularized(b, n, x, in(1, i));
    const OutPort v = b.add(times(b, in(2, i), alpha), times(b, g, 1 - alpha));
    const OutPort h = b.add(times(b, in(3, i), beta), times(b, b.multiply(g, g), 1 - beta));
    const OutPort root = b.add(b.op("Sqrt", "opset1", {h}), b.like(x, epsilon));
    const OutPort y = b.subtract(x, b.multiply(adjusted, b.divide(v, root)));
    tensors.push_back(after == 0 ? y : times(b, y, 1 - after));
    means.push_back(v);
    squares.push_back(h);
  }
  tensors.insert(tensors.end(), means.begin(), means.end());
  tensors.insert(tensors.end(), squares.begin(), squares.end());
  return tensors;
}

static Ports adagrad(Build& b, const SourceNode& n) {
  using namespace training;
  const Inputs in(b, n, 3);
  const OutPort rate = b.in(0), step = b.op("ConvertLike", "opset1", {b.in(1), rate});
  const OutPort slower = b.add(times(b, step, n.native("decay_factor", 0.0)), b.like(rate, 1));
  const OutPort adjusted = b.divide(rate, slower);
  Ports tensors, squares;
  for (size_t i = 0; i < in.count; ++i) {
    const OutPort x = in(0, i), g = regularized(b, n, x, in(1, i));
    const OutPort h = b.add(in(2, i), b.multiply(g, g));
    const OutPort root = b.add(b.op("Sqrt", "opset1", {h}), b.like(x, n.native("epsilon", 1e-6)));
    tensors.push_back(b.subtract(x, b.divide(b.multiply(adjusted, g), root)));
    squares.push_back(h);
  }
  tensors.insert(tensors.end(), squares.begin(), squares.end());
  return tensors;
}

static Ports momentum(Build& b, const SourceNode& n) {
  using namespace training;
  const Inputs in(b, n, 3);
  const auto mode = n.native<std::string>("mode");
  require(mode == "standard" || mode == "nesterov", "attribute 'mode' is '", mode,
          "', expected 'standard' or 'nesterov'");
  const double alpha = n.native<double>("alpha");
  const OutPort rate = b.in(0);
  const OutPort beta = b.select(first_step(b), b.like(rate, 1), b.like(rate, n.native<double>("beta")));
  Ports tensors, speeds;
  for (size_t i = 0; i < in.count; ++i) {
    const OutPort x = in(0, i), g = regularized(b, n, x, in(1, i));
    const OutPort v = b.add(times(b, in(2, i), alpha), b.multiply(beta, g));
    const OutPort change = mode == "standard" ? v : b.add(g, times(b, v, alpha));
    tensors.push_back(b.subtract(x, b.multiply(rate, change)));
    speeds.push_back(v);
  }
  tensors.insert(tensors.end(), speeds.begin(), speeds.end());
  return tensors;
}

void register_training_steps(Registry& r) {
  using namespace training;
  replace<adam>(
      r, {"Adam", "Adam(rate, step, x, g, v, h)", "x - rate * v / (Sqrt(h) + epsilon)", domain, {}, also});
  replace<adagrad>(
      r, {"Adagrad", "Adagrad(rate, step, x, g, h)", "x - rate * g / (Sqrt(h) + epsilon)", domain, {}, also});
  replace<momentum>(r, {"Momentum", "Momentum(rate, step, x, g, v)", "x - rate * v", domain, {}, also});
}

}  // namespace mo::onnx
