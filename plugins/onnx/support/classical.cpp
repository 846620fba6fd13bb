#include "support/classical.hpp"

namespace mo::onnx::ml {

OutPort samples(const Build& b, const OutPort& x) {
  const OutPort floats = b.convert(x, ElementType::f32);
  return x.shape().rank() == 1 ? b.unsqueeze(floats, b.list({0})) : floats;
}

OutPort numbers(const Build& b, const std::vector<double>& values, const Ints& dims) {
  return b.constant(Tensor::filled(b.context(), ElementType::f32, values, dims));
}

static OutPort number(const Build& b, double v) { return numbers(b, {v}, {}); }

// The square root of 2 times the inverse of erf at 2 * x - 1, by Winitzki's approximation, as onnxruntime has
// it.
static OutPort probit(const Build& b, const OutPort& x) {
  constexpr double a = 0.147;
  const OutPort y = b.subtract(b.multiply(x, number(b, 2)), number(b, 1));
  const OutPort both = b.multiply(b.subtract(number(b, 1), y), b.add(number(b, 1), y));
  const OutPort log = b.op("Log", "opset1", {both});
  const OutPort v = b.add(b.multiply(log, number(b, 0.5)), number(b, 2 / (3.14159 * a)));
  const OutPort inside = b.subtract(b.multiply(v, v), b.multiply(log, number(b, 1 / a)));
  const OutPort root = b.op("Sqrt", "opset1", {b.subtract(b.op("Sqrt", "opset1", {inside}), v)});
  const OutPort sign =
      b.select(b.op("Less", "opset1", {y, number(b, 0)}), number(b, -1.41421356), number(b, 1.41421356));
  return b.multiply(sign, root);
}

// Scores of 0 stay 0, as they are no scores.
static OutPort softmax_zero(const Build& b, const OutPort& x) {
  const OutPort most = b.reduce("ReduceMax", x, b.list({-1}), true);
  const OutPort some = b.op("Greater", "opset1", {b.op("Abs", "opset1", {x}), number(b, 1e-7)});
  const OutPort power = b.op("Exp", "opset1", {b.subtract(x, most)});
  const OutPort sum = b.reduce("ReduceSum", b.select(some, power, number(b, 0)), b.list({-1}), true);
  const OutPort tiny = b.multiply(x, b.op("Exp", "opset1", {b.op("Negative", "opset1", {most})}));
  return b.divide(b.select(some, power, tiny), sum);
}

OutPort transformed(const Build& b, const OutPort& scores, std::string_view transform) {
  if (transform.empty() || transform == "NONE") return scores;
  if (transform == "LOGISTIC") return b.op("Sigmoid", "opset1", {scores});
  if (transform == "SOFTMAX_ZERO") return softmax_zero(b, scores);
  if (transform == "PROBIT") return probit(b, scores);
  require(transform == "SOFTMAX", "attribute 'post_transform' is '", transform,
          "', expected NONE, LOGISTIC, SOFTMAX, SOFTMAX_ZERO or PROBIT");
  return b.softmax(scores, -1);
}

OutPort two_columns(const Build& b, const OutPort& negative, const OutPort& positive) {
  return b.concat({negative, positive}, 1);
}

OutPort with_rest(const Build& b, const OutPort& score, std::string_view transform) {
  require(transform != "PROBIT",
          "attribute 'post_transform' is PROBIT, which has no meaning for a single score");
  const OutPort share = transform == "LOGISTIC" ? transformed(b, score, transform) : score;
  return two_columns(b, b.subtract(number(b, 1), share), share);
}

Labels labels_of(const Build& b, const SourceNode& n, std::string_view numbers, std::string_view strings) {
  Labels l;
  l.values = n.find_native<Ints>(numbers).value_or(Ints{});
  const auto names = n.find_native<std::vector<std::string>>(strings).value_or(std::vector<std::string>{});
  if (!l.values.empty() || names.empty()) return l;
  for (size_t i = 0; i < names.size(); ++i) l.values.push_back(static_cast<int64_t>(i));
  if (n.out_count() != 0 && b.wants(0))
    b.context().warn(text("node '", n.name(),
                          "': labels are strings; the output has the numbers of classes instead, 0 for '",
                          names.front(), "' to ", names.size() - 1, " for '", names.back(), "'"));
  return l;
}

OutPort labelled(const Build& b, const Labels& l, const OutPort& classes) {
  bool same = true;
  for (size_t i = 0; i < l.values.size(); ++i) same = same && l.values[i] == static_cast<int64_t>(i);
  return same ? classes : ms::gather(b, b.list(l.values), classes, 0);
}

OutPort greatest(const Build& b, const Labels& l, const OutPort& scores) {
  const Node top = b.node("TopK", "opset3", {scores, b.integer(1)}, 2);
  top.set("axis", -1).set("mode", "max").set("sort", "value").set("index_element_type", ElementType::i64);
  return labelled(b, l, b.squeeze(top.out_port(1), {-1}));
}

OutPort either(const Build& b, const Labels& l, const OutPort& positive) {
  return b.select(positive, b.integer(l.values.at(1)), b.integer(l.values.at(0)));
}

}  // namespace mo::onnx::ml
