// LinearClassifier and LinearRegressor: x * coefficients^T + intercepts.
#include "support/classical.hpp"

namespace mo::onnx {

namespace ml {

static OutPort linear_scores(const Build& b, const SourceNode& n, size_t targets) {
  const auto coefficients = n.native<std::vector<double>>("coefficients");
  require(targets != 0 && !coefficients.empty() && coefficients.size() % targets == 0,
          "attribute 'coefficients' has ", coefficients.size(), " entries, expected a multiple of ", targets);
  const auto rows = static_cast<int64_t>(targets);
  const OutPort weights = numbers(b, coefficients, {rows, static_cast<int64_t>(coefficients.size()) / rows});
  const OutPort scores = b.matmul(samples(b, b.in(0)), weights, false, true);
  const auto shifts = n.find_native<std::vector<double>>("intercepts").value_or(std::vector<double>{});
  if (shifts.empty()) return scores;
  require(shifts.size() == targets, "attribute 'intercepts' has ", shifts.size(), " entries, expected ",
          targets);
  return b.add(scores, numbers(b, shifts, {rows}));
}

static Ports linear_regressor(Build& b, const SourceNode& n) {
  const auto targets = n.native("targets", 1);
  require(targets > 0, "attribute 'targets' is ", targets, ", expected at least 1");
  const OutPort scores = linear_scores(b, n, static_cast<size_t>(targets));
  const auto transform = n.native("post_transform", "NONE");
  // Of one score onnxruntime transforms nothing but this.
  return {targets > 1 || transform == "PROBIT" ? transformed(b, scores, transform) : scores};
}

static Ports linear_classifier(Build& b, const SourceNode& n) {
  const Labels labels = labels_of(b, n, "classlabels_ints", "classlabels_strings");
  const auto shifts = n.find_native<std::vector<double>>("intercepts").value_or(std::vector<double>{});
  const size_t targets = shifts.empty() ? labels.count() : shifts.size();
  const auto transform = n.native("post_transform", "NONE");
  const OutPort scores = linear_scores(b, n, targets);
  if (targets > 1) {
    require(labels.count() == targets, "there are ", labels.count(), " labels for ", targets, " classes");
    return {greatest(b, labels, scores), transformed(b, scores, transform)};
  }
  const OutPort positive = b.op("Greater", "opset1", {b.squeeze(scores, {1}), numbers(b, {0}, {})});
  if (labels.count() != 2) {
    const OutPort y = b.convert(positive, ElementType::i64);
    return {y, transform == "PROBIT" ? transformed(b, scores, transform) : scores};
  }
  return {either(b, labels, positive), with_rest(b, scores, transform)};
}

}  // namespace ml

void register_linear_models(Registry& r) {
  using namespace ml;
  replace<linear_regressor>(r, {"LinearRegressor", "LinearRegressor(x)",
                                "Add(MatMul(x, coefficients), intercepts), and the transform", domain});
  replace<linear_classifier>(
      r, {"LinearClassifier", "labels, scores = LinearClassifier(x)",
          "scores = Add(MatMul(x, coefficients), intercepts); Gather(labels, TopK(scores, 1))", domain});
}

}  // namespace mo::onnx
