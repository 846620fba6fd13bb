// Losses of training, computed forward: NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss.
#include "support/build.hpp"

namespace mo::onnx {

namespace losses {

static OutPort sum_of_all(const Build& b, const OutPort& x) {
  return b.reduce("ReduceSum", x, b.axes(b.in(1), 0, INT64_MAX), false);
}

static OutPort gather(const Build& b, const OutPort& x, const OutPort& indices) {
  return b.node("Gather", "opset8", {x, indices, b.integer(0)}).set("batch_dims", 0).out_port();
}

// One number for each label: minus the entry of its class, times the weight of the class. Labels that are
// ignored may name no class: they are read as class 0, and what comes of that is replaced by 0.
static OutPort loss(const Build& b, const SourceNode& n, const OutPort& log_prob) {
  const auto reduction = n.native("reduction", "mean");
  require(reduction == "none" || reduction == "sum" || reduction == "mean", "attribute 'reduction' is '",
          reduction, "', expected none, sum or mean");
  const auto ignored = n.find_native<int64_t>("ignore_index");
  OutPort labels = b.convert(b.in(1), ElementType::i64), skip;
  if (ignored) {
    skip = b.op("Equal", "opset1", {labels, b.integer(*ignored)});
    labels = b.select(skip, b.integer(0), labels);
  }
  const Node picked = b.node("GatherElements", "opset6", {log_prob, b.unsqueeze(labels, b.list({1}))});
  picked.set("axis", 1);
  const OutPort zero = b.like(b.in(0), 0);
  const auto without_skipped = [&](const OutPort& x) { return ignored ? b.select(skip, zero, x) : x; };
  OutPort each = b.op("Negative", "opset1", {b.squeeze(picked.out_port(), {1})}), weights;
  if (b.has(2)) {
    weights = without_skipped(gather(b, b.in(2), labels));
    each = b.multiply(each, weights);
  } else if (ignored) {
    weights = b.select(skip, zero, b.like(b.in(0), 1));
  }
  each = without_skipped(each);
  if (reduction == "none") return each;
  if (reduction == "sum") return sum_of_all(b, each);
  if (!weights) return b.reduce("ReduceMean", each, b.axes(b.in(1), 0, INT64_MAX), false);
  return b.op("Divide", "opset1", {sum_of_all(b, each), sum_of_all(b, weights)});
}

}  // namespace losses

static Ports negative_log_likelihood(Build& b, const SourceNode& n) { return {losses::loss(b, n, b.in(0))}; }

static Ports softmax_cross_entropy(Build& b, const SourceNode& n) {
  const Node log_prob = b.node("LogSoftmax", "opset5", {b.in(0)});
  log_prob.set("axis", 1);
  Ports outputs{losses::loss(b, n, log_prob.out_port())};
  if (n.out_count() > 1) outputs.push_back(log_prob.out_port());
  return outputs;
}

void register_loss(Registry& r) {
  replace<negative_log_likelihood>(r, {"NegativeLogLikelihoodLoss", "NegativeLogLikelihoodLoss(x, labels, w)",
                                       "ReduceMean(Negative(GatherElements(x, labels)))"});
  replace<softmax_cross_entropy>(r, {"SoftmaxCrossEntropyLoss", "SoftmaxCrossEntropyLoss(x, labels, w)",
                                     "ReduceMean(Negative(GatherElements(LogSoftmax(x), labels)))"});
}

}  // namespace mo::onnx
