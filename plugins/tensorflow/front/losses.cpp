// Cross entropies of probabilities, which are computed from their logarithms; output 1 is the gradient.
#include "support/build.hpp"

namespace mo::tensorflow {

namespace losses {

static OutPort log_softmax(const Build& b) {
  return b.node("LogSoftmax", "opset5", {b.in(0)}).set("axis", -1).out_port();
}
static OutPort probabilities(const Build& b) { return b.softmax(b.in(0), -1); }

}  // namespace losses

static Ports softmax_cross_entropy(Build& b, const SourceNode& n) {
  const OutPort product = b.multiply(b.in(1), losses::log_softmax(b));
  const OutPort sum = b.reduce("ReduceSum", product, b.list({-1}), false);
  Ports outputs{b.op("Negative", "opset1", {sum})};
  if (n.out_count() < 2) return outputs;
  outputs.push_back(b.wants(1) ? b.subtract(losses::probabilities(b), b.in(1)) : OutPort());
  return outputs;
}

// The right class has probability 1.
static Ports sparse_softmax_cross_entropy(Build& b, const SourceNode& n) {
  const OutPort labels = b.unsqueeze(b.in(1), b.list({-1}));
  const Node own = b.node("GatherElements", "opset6", {losses::log_softmax(b), labels});
  own.set("axis", -1);
  Ports outputs{b.op("Negative", "opset1", {b.squeeze(own.out_port(), {-1})})};
  if (n.out_count() < 2) return outputs;
  OutPort gradient;
  if (b.wants(1)) {
    const Node hot =
        b.node("OneHot", "opset1",
               {b.in(1), b.reshape(b.dim(b.in(0), -1), b.list({})), b.like(b.in(0), 1), b.like(b.in(0), 0)});
    hot.set("axis", -1);
    gradient = b.subtract(losses::probabilities(b), hot.out_port());
  }
  outputs.push_back(gradient);
  return outputs;
}

void register_losses(Registry& r) {
  replace<softmax_cross_entropy>(r,
                                 {"SoftmaxCrossEntropyWithLogits", "SoftmaxCrossEntropyWithLogits(x, labels)",
                                  "Negative(ReduceSum(Multiply(labels, LogSoftmax(x))))"});
  replace<sparse_softmax_cross_entropy>(
      r, {"SparseSoftmaxCrossEntropyWithLogits", "SparseSoftmaxCrossEntropyWithLogits(x, labels)",
          "Negative(GatherElements(LogSoftmax(x), labels))"});
}

}  // namespace mo::tensorflow
