// Attention: SoftMax(query * key' * scale + mask) * value.
#include "support/values.hpp"

namespace mo::pytorch {

namespace attention {

// Each head as often as there are heads of the query for it.
static OutPort repeated_heads(const Call& c, const OutPort& x, const OutPort& query) {
  const int64_t heads = c.dim(x, -3), wanted = c.dim(query, -3);
  require(heads > 0 && wanted % heads == 0, "it has ", wanted, " heads of the query and ", heads,
          " of key or value; expected a multiple");
  if (heads == wanted) return x;
  const auto rank = static_cast<int64_t>(c.rank(x));
  Ints times(static_cast<size_t>(rank) + 1, 1);
  times[static_cast<size_t>(rank) - 2] = wanted / heads;
  const OutPort wide = c.b.broadcast(c.b.unsqueeze(x, c.b.list({-3})), c.b.list(times), "bidirectional");
  const OutPort shape = c.b.shape_of(x);
  Ports sizes;
  if (rank > 3) sizes.push_back(c.b.part(shape, 0, rank - 3));
  sizes.push_back(c.b.list({wanted}));
  sizes.push_back(c.b.part(shape, rank - 2, rank));
  return c.b.reshape(wide, c.b.concat(sizes));
}

static OutPort attended(const Call& c) {
  require(c.number("dropout_p", 0) == 0,
          "dropout draws random numbers in training; export the model after eval()");
  OutPort q = c.tensor("query"), k = c.tensor("key"), v = c.tensor("value");
  if (c.flag("enable_gqa", false)) {
    k = repeated_heads(c, k, q);
    v = repeated_heads(c, v, q);
  }
  const bool flat = c.rank(q) == 2;
  if (flat)
    for (OutPort* x : {&q, &k, &v}) *x = c.b.unsqueeze(*x, c.b.list({0}));
  const bool causal = c.flag("is_causal", false);
  OutPort mask = c.find_tensor("attn_mask");
  require(!mask || !causal, "arguments 'attn_mask' and 'is_causal' exclude each other");
  if (mask && mask.type() != ElementType::boolean) mask = c.b.convert(mask, q.type());
  while (mask && c.rank(mask) < 2) mask = c.b.unsqueeze(mask, c.b.list({0}));
  Ports inputs{q, k, v};
  if (mask) inputs.push_back(mask);
  if (const auto scale = c.find_number("scale")) {
    if (!mask) inputs.push_back(c.like(q, 0));
    inputs.push_back(c.like(q, *scale));
  }
  const Node n = c.b.node("ScaledDotProductAttention", "opset13", inputs);
  const OutPort y = n.set("causal", causal).out_port();
  return flat ? c.b.squeeze(y, {0}) : y;
}

static Ports attend(const Call& c) { return {attended(c)}; }
// Further results are for the way back.
static Ports attend_with_statistics(const Call& c) {
  Ports out(c.result_count());
  out.at(0) = attended(c);
  return out;
}

}  // namespace attention

void register_attention(Registry& r) {
  using namespace attention;
  convert<attend>(r, "aten.scaled_dot_product_attention.default", "scaled_dot_product_attention(q, k, v, mask)",
                  "ScaledDotProductAttention-13(q, k, v, mask)");
  convert<attend_with_statistics>(
      r,
      "aten._scaled_dot_product_flash_attention_for_cpu.default aten._scaled_dot_product_flash_attention.default "
      "aten._scaled_dot_product_efficient_attention.default aten._scaled_dot_product_attention_math.default",
      "_scaled_dot_product_flash_attention(q, k, v, mask)", "ScaledDotProductAttention-13(q, k, v, mask)");
}

}  // namespace mo::pytorch
