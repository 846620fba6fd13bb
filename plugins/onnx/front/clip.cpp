#include "support/build.hpp"
#include "support/early_rank.hpp"

namespace mo::onnx {

static OutPort clamp(const Build& b, const OutPort& x, double low, double high) {
  const Node n = b.node("Clamp", "opset1", {x});
  n.set("min", low).set("max", high);
  return n.out_port();
}

// Attributes up to version 10; their defaults are the limits of f32.
static OutPort clip_by_attributes(const Build& b, const SourceNode& n) {
  constexpr double largest = std::numeric_limits<float>::max();
  return clamp(b, b.in(0), n.native("min", -largest), n.native("max", largest));
}

// A bound that Clamp can hold as a number without loss.
static std::optional<double> exact_bound(const Build& b, size_t i) {
  const auto t = b.constant(i);
  if (!t || t->size() != 1) return std::nullopt;
  const double v = t->number(0);
  if (bits(t->type()) == 64 && is_integer(t->type()) && std::abs(v) > 0x1p53) return std::nullopt;
  return v;
}

static Ports clip(Build& b, const SourceNode& n) {
  if (n.version() < 11) return {clip_by_attributes(b, n)};
  const auto low = exact_bound(b, 1), high = exact_bound(b, 2);
  if (low && high && *low <= *high) return {clamp(b, b.in(0), *low, *high)};
  OutPort x = b.in(0);
  if (!b.has(1) && !b.has(2)) return bypass(n, x);
  if (b.has(1)) x = b.op("Maximum", "opset1", {x, as_scalar(b, b.in(1))});
  if (b.has(2)) x = b.op("Minimum", "opset1", {x, as_scalar(b, b.in(2))});
  return {x};
}

void register_clip(Registry& r) {
  says_rank({"Clip"}, Rank::kept);
  replace<clip>(r, {"Clip", "Clip(x, min, max)", "Clamp(x), or Minimum(Maximum(x, min), max)"});
}

}  // namespace mo::onnx
