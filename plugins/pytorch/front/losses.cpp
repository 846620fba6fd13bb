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
  const auto log = [&](const OutPort& v) { return c.op1("Maximum", {c.op1("Log", {v}), c.like(x, -100)}); };
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
  const OutPort share = c.b.divide(c.like(log, smoothing), c.convert_like(size_of(c, log, axis), log));
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
    const OutPort share = c.b.divide(c.like(x, smoothing), c.convert_like(size_of(c, x, axis), x));
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

static OutPort not_below(const Call& c, const OutPort& x, double least) {
  return c.op1("Maximum", {x, c.like(x, least)});
}

// Exp(x) - y x of logarithms, else x - y Log(x + eps); in full with Stirling's term of y above 1.
static Ports of_counts(const Call& c) {
  const auto [x, y] = c.promoted("input", "target");
  OutPort each;
  if (c.flag("log_input", true))
    each = c.b.subtract(c.op1("Exp", {x}), c.b.multiply(y, x));
  else
    each = c.b.subtract(x, c.b.multiply(y, c.op1("Log", {c.b.add(x, c.like(x, c.number("eps", 1e-8)))})));
  if (c.flag("full", false)) {
    const OutPort one = c.like(y, 1), above = c.op1("Greater", {y, one}), safe = c.b.select(above, y, one);
    const OutPort log = c.op1("Log", {safe});
    OutPort rest = c.b.subtract(c.b.multiply(safe, log), safe);
    rest = c.b.add(
        rest, c.b.multiply(c.b.add(log, c.like(y, std::log(2 * 3.14159265358979323846))), c.like(y, 0.5)));
    each = c.b.add(each, c.b.select(above, rest, c.like(y, 0)));
  }
  return {reduced(c, each)};
}

// max(0, margin - y (a - b))
static Ports by_rank(const Call& c) {
  const auto [a, b] = c.promoted("input1", "input2");
  const OutPort y = c.convert_like(c.tensor("target"), a);
  const OutPort far = c.b.multiply(y, c.b.subtract(a, b));
  return {reduced(c, not_below(c, c.b.subtract(c.like(a, c.number("margin", 0)), far), 0))};
}

// x where y is 1, max(0, margin - x) where it is -1, both elsewhere.
static Ports by_hinge(const Call& c) {
  const OutPort x = c.tensor("self"), y = c.convert_like(c.tensor("target"), x), zero = c.like(x, 0);
  const OutPort near = not_below(c, c.b.subtract(c.like(x, c.number("margin", 1)), x), 0);
  const OutPort other = c.b.select(c.op1("Equal", {y, c.like(y, 1)}), zero, near);
  return {reduced(c, c.b.add(c.b.select(c.op1("Equal", {y, c.like(y, -1)}), zero, x), other))};
}

static Ports soft_margin(const Call& c) {
  const OutPort x = c.tensor("self"), y = c.convert_like(c.tensor("target"), x);
  const OutPort turned = c.op1("Negative", {c.b.multiply(x, y)});
  return {reduced(c, c.b.op("SoftPlus", "opset4", {turned}))};
}

// The distance from the anchor to what is like it, less that to what is not.
static Ports of_triplets(const Call& c) {
  const OutPort anchor = c.tensor("anchor"), like = c.tensor("positive"), unlike = c.tensor("negative");
  const double p = c.number("p", 2), eps = c.number("eps", 1e-6);
  require(p > 0 && std::isfinite(p), "argument 'p' is ", p, ", expected a finite number above 0");
  const auto distance = [&](const OutPort& x, const OutPort& y) {
    const OutPort d = c.b.subtract(x, y);
    return norm_of(c, c.b.add(d, c.like(d, eps)), p, c.b.list({-1}), false);
  };
  OutPort far = distance(anchor, unlike);
  if (c.flag("swap", false)) far = c.op1("Minimum", {far, distance(like, unlike)});
  const OutPort gap = c.b.subtract(distance(anchor, like), far);
  return {reduced(c, not_below(c, c.b.add(gap, c.like(gap, c.number("margin", 1))), 0))};
}

// 1 - cos where y is 1, max(0, cos - margin) where it is -1.
static Ports by_cosine(const Call& c) {
  const auto [a, b] = c.promoted("input1", "input2");
  const auto dot = [&](const OutPort& x, const OutPort& y) {
    return c.b.reduce("ReduceSum", c.b.multiply(x, y), c.b.list({-1}), false);
  };
  constexpr double eps = 1e-12;
  const auto square = [&](const OutPort& x) {
    const OutPort sum = dot(x, x);
    return c.b.add(sum, c.like(sum, eps));
  };
  const OutPort cosine = c.b.divide(dot(a, b), c.op1("Sqrt", {c.b.multiply(square(a), square(b))}));
  const OutPort y = c.convert_like(c.tensor("target"), cosine), zero = c.like(cosine, 0);
  const OutPort same = c.b.subtract(c.like(cosine, 1), cosine);
  const OutPort other = not_below(c, c.b.subtract(cosine, c.like(cosine, c.number("margin", 0))), 0);
  const OutPort first = c.b.select(c.op1("Equal", {y, c.like(y, 1)}), same, zero);
  return {reduced(c, c.b.add(first, c.b.select(c.op1("Equal", {y, c.like(y, -1)}), other, zero)))};
}

// The mean over the other classes of max(0, margin - own + other)^p.
static Ports of_own_class(const Call& c) {
  OutPort x = c.tensor("self"), target = c.b.convert(c.tensor("target"), ElementType::i64);
  const bool single = c.rank(x) < 2;
  if (c.rank(x) == 0) x = c.b.unsqueeze(x, c.b.list({0}));
  if (single) x = c.b.unsqueeze(x, c.b.list({0}));
  target = c.b.reshape(target, Ints{-1, 1});
  const OutPort own = c.b.node("GatherElements", "opset6", {x, target}).set("axis", 1).out_port();
  const double p = c.number("p", 1);
  require(p == 1 || p == 2, "argument 'p' is ", p, ", expected 1 or 2");
  OutPort each = not_below(c, c.b.add(c.b.subtract(x, own), c.like(x, c.number("margin", 1))), 0);
  if (p == 2) each = c.b.multiply(each, each);
  if (const OutPort w = c.find_tensor("weight")) each = c.b.multiply(each, gather(c, w, target, 0));
  const OutPort others = c.op1("NotEqual", {count_to(c, size_of(c, x, 1)), target});
  each = c.b.select(others, each, c.like(x, 0));
  OutPort mean = c.b.reduce("ReduceMean", each, c.b.list({1}), false);
  if (single) mean = c.b.squeeze(mean, {0});
  return {reduced(c, mean)};
}

}  // namespace losses

void register_losses(Registry& r) {
  using namespace losses;
  convert<squares>(r, "aten.mse_loss.default", "mse_loss(x, y)", "ReduceMean(squares of Subtract(x, y))");
  convert<distances>(r, "aten.l1_loss.default", "l1_loss(x, y)", "ReduceMean(Abs(Subtract(x, y)))");
  convert<smooth<false>>(
      r, "aten.smooth_l1_loss.default", "smooth_l1_loss(x, y, beta)",
      "ReduceMean(Select(Less(d, beta), d² / 2 beta, d - beta / 2)), d = Abs(Subtract(x, y))");
  convert<smooth<true>>(r, "aten.huber_loss.default", "huber_loss(x, y, delta)",
                        "ReduceMean(Select(Less(d, delta), d² / 2, delta * (d - delta / 2)))");
  convert<entropy_with_logits>(r, "aten.binary_cross_entropy_with_logits.default",
                               "binary_cross_entropy_with_logits(x, y)",
                               "ReduceMean(Add(Multiply(1 - y, x), SoftPlus-4(Negative(x))))");
  convert<entropy>(r, "aten.binary_cross_entropy.default", "binary_cross_entropy(x, y)",
                   "ReduceMean(Negative(y * Log(x) + (1 - y) * Log(1 - x)))");
  convert<divergence>(r, "aten.kl_div.default", "kl_div(x, y)", "ReduceMean(Subtract(y * Log(y), y * x))");
  convert<likelihood>(r, "aten.nll_loss_nd.default aten.nll_loss.default aten.nll_loss2d.default",
                      "nll_loss(x, y)",
                      "Divide(ReduceSum(Negative(GatherElements(x, y)) * w), ReduceSum(w))");
  convert<likelihood_with_weight>(r, "aten.nll_loss_forward.default aten.nll_loss2d_forward.default",
                                  "nll_loss_forward(x, y)",
                                  "Divide(ReduceSum(Negative(GatherElements(x, y)) * w), ReduceSum(w))");
  convert<of_counts>(r, "aten.poisson_nll_loss.default", "poisson_nll_loss(x, y)",
                     "ReduceMean(Subtract(Exp(x), Multiply(y, x)))");
  convert<by_rank>(r, "aten.margin_ranking_loss.default", "margin_ranking_loss(a, b, y, margin)",
                   "ReduceMean(Maximum(margin - y * (a - b), 0))");
  convert<by_hinge>(r, "aten.hinge_embedding_loss.default", "hinge_embedding_loss(x, y, margin)",
                    "ReduceMean(Select(Equal(y, 1), x, Maximum(margin - x, 0)))");
  convert<soft_margin>(r, "aten.soft_margin_loss.default", "soft_margin_loss(x, y)",
                       "ReduceMean(SoftPlus-4(Negative(Multiply(x, y))))");
  convert<of_triplets>(r, "aten.triplet_margin_loss.default", "triplet_margin_loss(a, p, n, margin)",
                       "ReduceMean(Maximum(ReduceL2(a - p) - ReduceL2(a - n) + margin, 0))");
  convert<by_cosine>(r, "aten.cosine_embedding_loss.default", "cosine_embedding_loss(a, b, y, margin)",
                     "ReduceMean(Select(Equal(y, 1), 1 - cos, Maximum(cos - margin, 0)))");
  convert<of_own_class>(r, "aten.multi_margin_loss.default", "multi_margin_loss(x, y, p, margin)",
                        "ReduceMean(Maximum(margin - GatherElements(x, y) + x, 0)), y itself left out");
  convert<cross_entropy>(r, "aten.cross_entropy_loss.default", "cross_entropy_loss(x, y)",
                         "Divide(ReduceSum(Negative(GatherElements(LogSoftmax-5(x), y)) * w), ReduceSum(w))");
}

}  // namespace mo::pytorch
