// Losses, which some programs give with their results.
#include "support/operator.hpp"

#include <mo/extract.hpp>

namespace mo::paddle {

namespace losses {

static Ports cross_entropy(const Op& o) {
  const OutPort x = o.in("0 Logits");
  OutPort label = o.in("1 Label");
  const int64_t axis = o.axis(x, o.integer("axis", -1));
  const bool has_softmax = o.flag("use_softmax", true);
  const OutPort log =
      has_softmax ? o.node("LogSoftmax", "opset5", {x}).set("axis", axis).out_port() : o.op1("Log", {x});
  const OutPort softmax = has_softmax ? o.softmax(x, axis) : x;
  OutPort loss;
  if (o.flag("soft_label", false)) {
    loss = o.op1("Negative", {o.reduce("ReduceSum", o.multiply(label, log), o.list({axis}), true)});
  } else {
    if (o.rank(label) < o.rank(x)) label = o.unsqueezed(label, {axis});
    label = o.convert(label, ElementType::i64);
    const OutPort ignored = o.op1("Equal", {label, o.integer(o.integer("ignore_index", -100))});
    const OutPort at = o.select(ignored, o.integer(0), label);
    const OutPort found = o.node("GatherElements", "opset6", {log, at}).set("axis", axis).out_port();
    loss = o.select(ignored, o.like(x, 0), o.op1("Negative", {found}));
  }
  return o.give({{"0 Softmax", {softmax}}, {"1 Loss", {loss}}});
}

static Ports huber_loss(const Op& o) {
  const OutPort residual = o.subtract(o.in("1 Y"), o.in("0 X"));
  const double delta = o.real("delta", 1);
  const OutPort size = o.op1("Abs", {residual});
  const OutPort near = o.times(o.multiply(residual, residual), 0.5),
                far = o.times(o.plus(size, -0.5 * delta), delta);
  return o.give({{"0 Out", {o.select(o.op1("LessEqual", {size, o.like(size, delta)}), near, far)}},
                 {"1 Residual", {residual}}});
}

static Ports sigmoid_cross_entropy(const Op& o) {
  const OutPort x = o.in("0 X"), label = o.in("1 Label");
  const OutPort zero = o.like(x, 0);
  OutPort rest = o.op1("Log", {o.plus(o.op1("Exp", {o.op1("Negative", {o.op1("Abs", {x})})}), 1)});
  if (o.has("2 pos_weight")) rest = o.multiply(rest, o.in("2 pos_weight"));
  const OutPort loss = o.add(o.subtract(o.op1("Maximum", {x, zero}), o.multiply(x, label)), rest);
  const OutPort counts =
      o.op1("NotEqual", {label, o.like(label, static_cast<double>(o.integer("ignore_index", -100)))});
  OutPort y = o.select(counts, loss, zero);
  if (o.flag("normalize", false)) {
    const OutPort number =
        o.reduce("ReduceSum", o.convert(counts, o.type_of(x)), o.axes(x, 0, INT64_MAX), false);
    y = o.divide(y, o.op1("Maximum", {number, o.like(x, 1e-5)}));
  }
  return {y};
}

static Ports label_smooth(const Op& o) {
  const OutPort label = o.in("0 X");
  const double epsilon = o.real("epsilon", 0);
  const OutPort kept = o.times(label, 1 - epsilon);
  if (o.has("1 PriorDist")) return {o.add(kept, o.times(o.in("1 PriorDist"), epsilon))};
  const OutPort classes = o.convert(o.as_scalar(o.dim(label, -1)), o.type_of(label));
  return {o.add(kept, o.divide(o.like(label, epsilon), classes))};
}

static Ports binary_cross_entropy(const Op& o) {
  const OutPort x = o.in("0 X"), label = o.in("1 Label");
  const auto log = [&](const OutPort& p) { return o.op1("Maximum", {o.op1("Log", {p}), o.like(x, -100)}); };
  const OutPort one = o.like(x, 1);
  const OutPort sum =
      o.add(o.multiply(label, log(x)), o.multiply(o.subtract(one, label), log(o.subtract(one, x))));
  return {o.op1("Negative", {sum})};
}

// The logarithm that each label picks, of all or as their weighted mean or sum.
static Ports nll_loss(const Op& o) {
  const OutPort x = o.in("0 X");
  const OutPort label = o.convert(o.in("1 Label"), ElementType::i64);
  const OutPort ignored = o.op1("Equal", {label, o.integer(o.integer("ignore_index", -100))});
  const OutPort at = o.select(ignored, o.integer(0), label);
  const OutPort found =
      o.node("GatherElements", "opset6", {x, o.unsqueezed(at, {1})}).set("axis", 1).out_port();
  OutPort weight =
      o.has("2 Weight") ? o.gather(o.in("2 Weight"), at, 0) : o.broadcast(o.like(x, 1), o.shape_of(at));
  weight = o.select(ignored, o.like(x, 0), weight);
  const OutPort each = o.op1("Negative", {o.multiply(o.squeeze(found, {1}), weight)});
  const OutPort total = o.reduce("ReduceSum", weight, o.axes(at, 0, INT64_MAX), false);
  const std::string how = o.word("reduction", "mean");
  if (how == "none") return o.give({{"0 Out", {each}}, {"1 Total_weight", {total}}});
  require(how == "mean" || how == "sum", "attribute 'reduction' is '", how, "', expected none, mean or sum");
  const OutPort sum = o.reduce("ReduceSum", each, o.axes(at, 0, INT64_MAX), false);
  return o.give({{"0 Out", {how == "sum" ? sum : o.divide(sum, total)}}, {"1 Total_weight", {total}}});
}

}  // namespace losses

void register_losses(Registry& r) {
  using namespace losses;
  convert<cross_entropy>(r, "cross_entropy_with_softmax softmax_with_cross_entropy",
                         "cross_entropy_with_softmax(x, label)",
                         "Negative(GatherElements(LogSoftmax(x), label))");
  convert<huber_loss>(r, "huber_loss", "huber_loss(x, label)",
                      "Select(LessEqual(Abs(r), delta), r * r / 2, delta * (Abs(r) - delta / 2))");
  convert<sigmoid_cross_entropy>(r, "sigmoid_cross_entropy_with_logits",
                                 "sigmoid_cross_entropy_with_logits(x, label)",
                                 "Add(Subtract(Maximum(x, 0), x * label), Log(Exp(-Abs(x)) + 1))");
  convert<label_smooth>(r, "label_smooth", "label_smooth(label)",
                        "Add(Multiply(label, 1 - epsilon), epsilon / classes)");
  convert<nll_loss>(r, "nll_loss", "nll_loss(x, label)", "Negative(GatherElements(x, label))");
  convert<binary_cross_entropy>(r, "bce_loss", "bce_loss(x, label)",
                                "Negative(label * Log(x) + (1 - label) * Log(1 - x))");
}

}  // namespace mo::paddle
