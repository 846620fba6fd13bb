// Losses: each element's, the mean of all, or their sum.
#include "support/values.hpp"

#include <cmath>

namespace mo::pytorch {

namespace losses {

static OutPort over_all(const Call& c, std::string_view type, const OutPort& x) {
  const size_t rank = c.rank(x);
  return rank == 0 ? x : c.b.reduce(type, x, c.b.list(counted(rank)), false);
}
static OutPort reduced(const Call& c, const OutPort& each) {
  const auto how = c.integer("reduction", 1);
  require(how >= 0 && how <= 2, "argument 'reduction' is ", how, ", expected 0 to 2");
  return how == 0 ? each : over_all(c, how == 1 ? "ReduceMean" : "ReduceSum", each);
}

static Ports squares(const Call& c) {
  const auto [x, y] = c.promoted("self", "target");
  const OutPort d = c.b.subtract(x, y);
  return {reduced(c, c.b.multiply(d, d))};
}
static Ports distances(const Call& c) {
  const auto [x, y] = c.promoted("self", "target");
  return {reduced(c, c.op1("Abs", {c.b.subtract(x, y)}))};
}

// Squares up to the border and lines beyond it; Huber's is steeper by the border.
template <bool Huber>
static Ports smooth(const Call& c) {
  const auto [x, y] = c.promoted("self", "target");
  const double border = c.number(Huber ? "delta" : "beta", 1);
  const OutPort d = c.op1("Abs", {c.b.subtract(x, y)});
  if (border == 0) return {reduced(c, d)};
  const OutPort near = c.b.multiply(c.b.multiply(d, d), c.like(d, Huber ? 0.5 : 0.5 / border));
  OutPort far = c.b.subtract(d, c.like(d, 0.5 * border));
  if (Huber) far = c.b.multiply(far, c.like(d, border));
  return {reduced(c, c.b.select(is_less(c, d, c.like(d, border)), near, far))};
}

static OutPort weighed(const Call& c, const OutPort& each) {
  const OutPort w = c.find_tensor("weight");
  return w ? c.b.multiply(each, w) : each;
}

// (1 - y) x + (1 + (p - 1) y) log(1 + exp(-x))
static Ports entropy_with_logits(const Call& c) {
  const OutPort x = c.tensor("self"), y = c.as("target", x.type()), one = c.like(x, 1);
  OutPort log = c.b.op("SoftPlus", "opset4", {c.op1("Negative", {x})});
  if (const OutPort p = c.find_tensor("pos_weight"))
    log = c.b.multiply(log, c.b.add(c.b.multiply(c.b.subtract(p, one), y), one));
  return {reduced(c, weighed(c, c.b.add(c.b.multiply(c.b.subtract(one, y), x), log)))};
}

// Logarithms are cut off at -100.
static Ports entropy(const Call& c) {
  const OutPort x = c.tensor("self"), y = c.as("target", x.type()), one = c.like(x, 1);
  const auto log = [&](const OutPort& v) {
    return c.op1("Maximum", {c.op1("Log", {v}), c.like(x, -100)});
  };
  const OutPort rest = c.b.multiply(c.b.subtract(one, y), log(c.b.subtract(one, x)));
  return {reduced(c, weighed(c, c.op1("Negative", {c.b.add(c.b.multiply(y, log(x)), rest)})))};
}

static Ports divergence(const Call& c) {
  const auto [x, y] = c.promoted("self", "target");
  if (c.flag("log_target", false)) return {reduced(c, c.b.multiply(c.op1("Exp", {y}), c.b.subtract(y, x)))};
  const OutPort zero = c.like(y, 0);
  const OutPort own = c.b.select(c.op1("Equal", {y, zero}), zero, c.b.multiply(y, c.op1("Log", {y})));
  return {reduced(c, c.b.subtract(own, c.b.multiply(y, x)))};
}

// What the classes of the targets cost. Targets that are ignored may name no class: they are read as class 0,
// and what comes of that counts nothing.
struct Classes {
  OutPort each, weights;  // of the shape of the targets
};
static Classes classes_of(const Call& c, const OutPort& log, double smoothing) {
  const size_t rank = c.rank(log);
  require(rank > 0, "it reads a number without dimensions");
  const auto axis = static_cast<int64_t>(rank == 1 ? 0 : 1);
  OutPort target = c.b.convert(c.tensor("target"), ElementType::i64);
  const OutPort ignored = c.op1("Equal", {target, c.b.integer(c.integer("ignore_index", -100))});
  target = c.b.select(ignored, c.b.integer(0), target);
  const Node hit = c.b.node("GatherElements", "opset6", {log, c.b.unsqueeze(target, c.b.list({axis}))});
  hit.set("axis", axis);
  const OutPort zero = c.like(log, 0);
  const OutPort own = c.find_tensor("weight");
  const OutPort weight = own ? gather(c, own, target, 0) : c.like(log, 1);
  Classes k;
  k.weights = c.b.select(ignored, zero, weight);
  const OutPort loss = c.op1("Negative", {c.b.squeeze(hit.out_port(), {axis})});
  k.each = c.b.multiply(c.b.select(ignored, zero, loss), k.weights);
  if (smoothing == 0) return k;
  // A share of the loss is that of all classes alike.
  OutPort all = c.op1("Negative", {log});
  if (own) {
    Ints dims(rank - static_cast<size_t>(axis), 1);
    dims[0] = -1;
    all = c.b.multiply(all, c.b.reshape(own, dims));
  }
  all = c.b.select(ignored, zero, c.b.reduce("ReduceSum", all, c.b.list({axis}), false));
  const OutPort share = c.b.divide(c.like(log, smoothing), c.b.convert(size_of(c, log, axis), log.type()));
  k.each = c.b.add(c.b.multiply(k.each, c.like(log, 1 - smoothing)), c.b.multiply(all, share));
  return k;
}
static Ports of_classes(const Call& c, const Classes& k) {
  const auto how = c.integer("reduction", 1);
  require(how >= 0 && how <= 2, "argument 'reduction' is ", how, ", expected 0 to 2");
  if (how == 0) return {k.each};
  const OutPort sum = over_all(c, "ReduceSum", k.each);
  if (how == 2) return {sum};
  return {c.b.divide(sum, over_all(c, "ReduceSum", k.weights))};
}

static Ports likelihood(const Call& c) { return of_classes(c, classes_of(c, c.tensor("self"), 0)); }
static Ports likelihood_with_weight(const Call& c) {
  const Classes k = classes_of(c, c.tensor("self"), 0);
  Ports out = of_classes(c, k);
  out.push_back(over_all(c, "ReduceSum", k.weights));
  return out;
}

static Ports cross_entropy(const Call& c) {
  const OutPort x = c.tensor("self");
  const auto axis = static_cast<int64_t>(c.rank(x) == 1 ? 0 : 1);
  const OutPort log = c.b.node("LogSoftmax", "opset5", {x}).set("axis", axis).out_port();
  const double smoothing = c.number("label_smoothing", 0);
  if (!is_float(c.tensor("target").type())) return of_classes(c, classes_of(c, log, smoothing));
  // Targets are shares of the classes.
  OutPort target = c.tensor("target");
  if (smoothing != 0) {
    const OutPort share = c.b.divide(c.like(x, smoothing), c.b.convert(size_of(c, x, axis), x.type()));
    target = c.b.add(c.b.multiply(target, c.like(x, 1 - smoothing)), share);
  }
  OutPort each = c.b.multiply(log, target);
  if (const OutPort own = c.find_tensor("weight")) {
    Ints dims(c.rank(x) - static_cast<size_t>(axis), 1);
    dims[0] = -1;
    each = c.b.multiply(each, c.b.reshape(own, dims));
  }
  return {reduced(c, c.op1("Negative", {c.b.reduce("ReduceSum", each, c.b.list({axis}), false)}))};
}

}  // namespace losses

void register_losses(Registry& r) {
  using namespace losses;
  convert<squares>(r, "aten.mse_loss.default", "mse_loss(x, y)", "ReduceMean(squares of Subtract(x, y))");
  convert<distances>(r, "aten.l1_loss.default", "l1_loss(x, y)", "ReduceMean(Abs(Subtract(x, y)))");
  convert<smooth<false>>(r, "aten.smooth_l1_loss.default", "smooth_l1_loss(x, y, beta)",
                         "ReduceMean(Select(Less(d, beta), d² / 2 beta, d - beta / 2)), d = Abs(Subtract(x, y))");
  convert<smooth<true>>(r, "aten.huber_loss.default", "huber_loss(x, y, delta)",
                        "ReduceMean(Select(Less(d, delta), d² / 2, delta * (d - delta / 2)))");
  convert<entropy_with_logits>(r, "aten.binary_cross_entropy_with_logits.default",
                               "binary_cross_entropy_with_logits(x, y)",
                               "ReduceMean(Add(Multiply(1 - y, x), SoftPlus-4(Negative(x))))");
  convert<entropy>(r, "aten.binary_cross_entropy.default", "binary_cross_entropy(x, y)",
                   "ReduceMean(Negative(y * Log(x) + (1 - y) * Log(1 - x)))");
  convert<divergence>(r, "aten.kl_div.default", "kl_div(x, y)", "ReduceMean(Subtract(y * Log(y), y * x))");
  convert<likelihood>(r, "aten.nll_loss_nd.default aten.nll_loss.default aten.nll_loss2d.default", "nll_loss(x, y)",
                      "Divide(ReduceSum(Negative(GatherElements(x, y)) * w), ReduceSum(w))");
  convert<likelihood_with_weight>(r, "aten.nll_loss_forward.default aten.nll_loss2d_forward.default",
                                  "nll_loss_forward(x, y)",
                                  "Divide(ReduceSum(Negative(GatherElements(x, y)) * w), ReduceSum(w))");
  convert<cross_entropy>(r, "aten.cross_entropy_loss.default", "cross_entropy_loss(x, y)",
                         "Divide(ReduceSum(Negative(GatherElements(LogSoftmax-5(x), y)) * w), ReduceSum(w))");
}

}  // namespace mo::pytorch
