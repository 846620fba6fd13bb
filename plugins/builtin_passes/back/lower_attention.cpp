// For releases without ScaledDotProductAttention, or without its sink:
//   ScaledDotProductAttention(q, k, v, mask)  ->  MatMul(SoftMax(q * scale * k^T + mask), v)
#include "support/lowering.hpp"

#include <cmath>
#include <limits>

namespace mo::builtin_passes {

class LowerAttention : public Lowering {
 public:
  LowerAttention() {
    id = "back.lower_attention";
    doc = "ScaledDotProductAttention written out";
    before = R"(
      %q = Parameter -> f32[1,2,3,4]
      %k = Parameter -> f32[1,2,5,4]
      %v = Parameter -> f32[1,2,5,6]
      %m = Parameter -> f32[1,1,3,5]
      %y = ScaledDotProductAttention@opset13 (%q, %k, %v, %m) {causal=false}
      Result (%y))";
    after = R"(
      %q = Parameter -> f32[1,2,3,4]
      %k = Parameter -> f32[1,2,5,4]
      %v = Parameter -> f32[1,2,5,6]
      %m = Parameter -> f32[1,1,3,5]
      %scale = Const -> f32[] {0.5}
      %s = Multiply@opset1 (%q, %scale)
      %p = MatMul@opset1 (%s, %k) {transpose_a=false, transpose_b=true}
      %a = Add@opset1 (%p, %m)
      %w = SoftMax@opset8 (%a) {axis=-1}
      %y = MatMul@opset1 (%w, %v) {transpose_a=false, transpose_b=false}
      Result (%y))";
    lowers("ScaledDotProductAttention", {13});
  }
  bool graph_condition(Graph g) override { return targets_up_to(g.context(), last_without_sink); }

 private:
  static constexpr std::string_view last_without_sink = "2025.3";

  bool has_it(const Node& n) const override {
    return Lowering::has_it(n) &&
           (n.in_count() < 6 || !n.is_in_port_connected(5) || !targets_up_to(n.context(), last_without_sink));
  }
  Ports lower(const Build& b, const Node& n) override {
    const OutPort q = b.in(0), k = b.in(1);
    const Shape s = q.shape();
    only_when(s.has_rank() && q.type() != ElementType::unknown, "rank or type of the queries is not known");
    OutPort scores = matrix_product(b, b.op("Multiply", "opset1", {q, scale_of(b, q)}), k, true);
    if (n.attr("causal", false)) {
      scores = b.select(causal_mask(b, q, k), scores, b.like(q, -std::numeric_limits<double>::infinity()));
    } else if (b.has(3) && b.in(3).shape().rank() != 0) {
      const OutPort mask = b.in(3);
      only_when(mask.type() != ElementType::unknown, "the type of the mask is not known");
      scores = mask.type() == ElementType::boolean
                   ? b.select(mask, scores, b.like(q, -std::numeric_limits<double>::infinity()))
                   : b.op("Add", "opset1", {scores, mask});
    }
    OutPort weights = softmax(b, b.has(5) ? b.concat({scores, spread_sink(b, scores)}, -1) : scores);
    if (b.has(5))
      weights = b.op("Slice", "opset8", {weights, b.list({0}), b.list({-1}), b.list({1}), b.list({-1})});
    return {matrix_product(b, weights, b.in(2), false)};
  }

  static OutPort softmax(const Build& b, const OutPort& x) {
    const Node n = b.node("SoftMax", "opset8", {x});
    n.set("axis", int64_t{-1});
    return n.out_port();
  }

  // One column beside the scores.
  static OutPort spread_sink(const Build& b, const OutPort& scores) {
    const auto rank = static_cast<int64_t>(b.in(0).shape().size());
    const Node n = b.node("Broadcast", "opset3",
                          {b.in(5), b.concat({b.part(b.shape_of(scores), 0, rank - 1), b.list({1})})});
    n.set("mode", "bidirectional");
    return n.out_port();
  }

  // 1 / root of the length of a query, unless it is given.
  static OutPort scale_of(const Build& b, const OutPort& q) {
    if (b.has(4)) return b.in(4);
    const Dim width = q.shape().back();
    if (width.is_static() && width != Dim(0))
      return b.like(q, 1 / std::sqrt(static_cast<double>(width.value())));
    const OutPort length = b.convert(b.dim(q, -1), q.type());
    return b.op("Power", "opset1", {length, b.like(q, -0.5)});
  }

  // True up to the diagonal.
  static OutPort causal_mask(const Build& b, const OutPort& q, const OutPort& k) {
    const Shape s = q.shape(), t = k.shape();
    const Dim rows = s.size() < 2 ? Dim() : s[s.size() - 2], columns = t.size() < 2 ? Dim() : t[t.size() - 2];
    only_when(rows.is_static() && columns.is_static(),
              "it is causal, and how many queries and keys there are is not known");
    std::vector<double> mask;
    for (int64_t i = 0; i < rows.value(); ++i)
      for (int64_t j = 0; j < columns.value(); ++j) mask.push_back(j <= i ? 1 : 0);
    return b.constant(
        Tensor::filled(b.context(), ElementType::boolean, mask, {rows.value(), columns.value()}));
  }
};

void register_lower_attention(Registry& r) { r.transformation<LowerAttention>(); }

}  // namespace mo::builtin_passes
