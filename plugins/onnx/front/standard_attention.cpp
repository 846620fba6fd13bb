// Attention of ONNX itself (from version 23 on). A query that no key may answer gives zeros; where masks can
// do that, such rows are taken out behind the product, so that the product itself keeps the form that the
// runtime fuses.
#include "loader/schema.hpp"
#include "support/attention.hpp"
#include "support/early_rank.hpp"

namespace mo::onnx {

namespace standard {

// Heads first, [batch, heads, length, size], of inputs with three or four dimensions.
struct Heads {
  OutPort query, key, value;
  bool packed = false;              // the inputs have three
  int64_t queries = 0, groups = 0;  // 0: as many as there are
};

static Heads heads_of(const Build& b, const SourceNode& n) {
  Heads h;
  h.queries = n.native("q_num_heads", 0);
  h.groups = n.native("kv_num_heads", 0);
  const auto rank = early_rank(b.in(0));
  require(!rank || *rank == 3 || *rank == 4, "input 0, the query, has ", rank.value_or(0),
          " dimensions, expected 3 or 4");
  h.packed = rank ? *rank == 3 : h.queries != 0;
  h.query = b.in(0), h.key = b.in(1), h.value = b.in(2);
  if (!h.packed) {
    const auto known = [&](size_t i) {
      const Shape s = b.in(i).shape();
      return s.rank() == 4 && s[1].is_static() ? s[1].value() : 0;
    };
    h.queries = known(0), h.groups = known(1);
    return h;
  }
  require(h.queries > 0 && h.groups > 0 && h.queries % h.groups == 0, "attributes 'q_num_heads' and ",
          "'kv_num_heads' are ", h.queries, " and ", h.groups, ", expected a multiple and a number above 0");
  h.query = ms::heads_first(b, h.query, h.queries);
  h.key = ms::heads_first(b, h.key, h.groups);
  h.value = ms::heads_first(b, h.value, h.groups);
  return h;
}

// Each head as often as there are queries for it.
static OutPort repeated(const Build& b, const OutPort& x, const Heads& h) {
  if (h.queries != 0 && h.queries == h.groups) return x;
  const OutPort count = h.queries != 0 ? b.list({h.queries}) : b.dim(h.query, 1);
  const OutPort times =
      h.queries != 0 && h.groups != 0 ? b.list({h.queries / h.groups}) : b.divide(count, b.dim(x, 1));
  const Node wide = b.node("Broadcast", "opset3",
                           {b.unsqueeze(x, b.list({2})), b.concat({b.list({1, 1}), times, b.list({1, 1})})});
  wide.set("mode", "bidirectional");
  const OutPort shape = b.shape_of(x);
  return b.reshape(wide.out_port(), b.concat({b.part(shape, 0, 1), count, b.part(shape, 2, 4)}));
}

// What decides which keys a query sees.
struct Sight {
  OutPort kept;               // booleans; null: all
  OutPort bias;               // numbers that are added; null: none
  bool may_be_empty = false;  // for some query
};

constexpr double nothing = -std::numeric_limits<double>::infinity();

static void narrow(const Build& b, Sight& s, const OutPort& kept) {
  s.kept = s.kept ? b.op("LogicalAnd", "opset1", {s.kept, kept}) : kept;
}

// The mask may have fewer columns than there are keys, when input 6 says how many of these count.
static OutPort given_mask(const Build& b, const OutPort& key) {
  OutPort mask = b.in(3);
  const ElementType type = mask.type();
  require(type != ElementType::unknown, "the type of input 3, the mask, cannot be told from the model");
  // Numbers of another type, integers too, are added as they are.
  if (type != ElementType::boolean && type != b.in(0).type())
    mask = b.op("ConvertLike", "opset1", {mask, b.in(0)});
  if (!b.has(6)) return mask;
  const OutPort none = b.list({0}), missing = b.subtract(b.dim(key, 2), b.dim(mask, -1));
  const bool booleans = type == ElementType::boolean;
  // No runtime pads booleans.
  const OutPort numbers = booleans ? b.convert(mask, ElementType::i32) : mask;
  const OutPort lead = b.multiply(b.part(b.shape_of(mask), 1, INT64_MAX), b.list({0}));
  const Node p = b.node(
      "Pad", "opset1",
      {numbers, b.concat({none, lead}), b.concat({lead, missing}), b.like(numbers, booleans ? 0 : nothing)});
  p.set("pad_mode", "constant");
  return booleans ? b.convert(p.out_port(), ElementType::boolean) : p.out_port();
}

static Sight sight(const Build& b, const SourceNode& n, const Heads& h, const OutPort& key) {
  Sight s;
  if (b.has(3)) {
    const OutPort mask = given_mask(b, key);
    (b.in(3).type() == ElementType::boolean ? s.kept : s.bias) = mask;
    s.may_be_empty = true;
  }
  const auto left = n.native("left_window_size", -1), right = n.native("right_window_size", -1);
  require(left >= -1 && right >= -1, "attributes 'left_window_size' and 'right_window_size' are ", left,
          " and ", right, ", expected -1 or more");
  const OutPort column = ms::positions(b, b.dim(key, 2));
  const OutPort lengths =
      b.has(6) ? b.reshape(b.convert(b.in(6), ElementType::i64), b.list({-1, 1, 1, 1})) : OutPort();
  const bool causal = n.native("is_causal", 0) != 0;
  if (causal || left >= 0 || right >= 0) {
    // The place of each query among the keys.
    const OutPort rows = b.dim(h.query, 2);
    OutPort row = b.unsqueeze(ms::positions(b, rows), b.list({1}));
    if (b.has(4))
      row = b.add(row, b.dim(b.in(4), 2));
    else if (lengths)
      row = b.add(row, b.subtract(lengths, rows));
    if (causal) narrow(b, s, b.op("LessEqual", "opset1", {column, row}));
    if (left >= 0) narrow(b, s, b.op("GreaterEqual", "opset1", {column, b.subtract(row, b.integer(left))}));
    if (right >= 0) narrow(b, s, b.op("LessEqual", "opset1", {column, b.add(row, b.integer(right))}));
    s.may_be_empty = s.may_be_empty || left >= 0 || right >= 0;
  }
  if (lengths) {
    narrow(b, s, b.op("Less", "opset1", {column, lengths}));
    s.may_be_empty = true;
  }
  return s;
}

// Whether each query sees a key at all: [.., queries, 1]; null when all do.
static OutPort seen(const Build& b, const Sight& s) {
  if (!s.may_be_empty) return {};
  OutPort kept = s.kept;
  if (s.bias) {
    const OutPort biased = b.op("Greater", "opset1", {s.bias, b.like(s.bias, nothing)});
    kept = kept ? b.op("LogicalAnd", "opset1", {kept, biased}) : biased;
  }
  return b.reduce("ReduceLogicalOr", kept, b.list({-1}), true);
}

static OutPort scale_of(const Build& b, const SourceNode& n, const Heads& h) {
  if (const auto given = n.find_native<double>("scale")) return b.like(b.in(0), *given);
  const OutPort f32 = b.convert(b.squeeze(b.dim(h.query, 3), {0}), ElementType::f32);
  const OutPort root =
      b.op("Power", "opset1", {f32, b.constant(Tensor::filled(b.context(), ElementType::f32, {-0.5}, {}))});
  const ElementType type = b.in(0).type();
  if (type == ElementType::unknown) return b.op("ConvertLike", "opset1", {root, b.in(0)});
  return b.convert(root, type);
}

static OutPort softmax(const Build& b, const SourceNode& n, const OutPort& scores) {
  const auto stated = n.native("softmax_precision", 0);
  const ElementType type = stated == 0 ? ElementType::unknown : element_type_of_onnx(stated);
  require(stated == 0 || is_float(type), "attribute 'softmax_precision' is ", data_type_name(stated),
          ", expected a type of floats");
  const bool other = stated != 0 && type != b.in(0).type();
  const Node s = b.node("SoftMax", "opset8", {other ? b.convert(scores, type) : scores});
  s.set("axis", -1);
  if (!other) return s.out_port();
  return b.op("ConvertLike", "opset1", {s.out_port(), b.in(0)});
}

}  // namespace standard

static Ports standard_attention(Build& b, const SourceNode& n) {
  using namespace standard;
  require(b.has(4) == b.has(5), "of inputs 4 and 5, the past keys and values, one is left out");
  const Heads h = heads_of(b, n);
  const OutPort key = b.has(4) ? b.concat({b.in(4), h.key}, 2) : h.key;
  const OutPort value = b.has(5) ? b.concat({b.in(5), h.value}, 2) : h.value;
  const Sight s = sight(b, n, h, key);
  const OutPort zero = b.like(b.in(0), 0);

  const OutPort query = b.multiply(h.query, scale_of(b, n, h));
  const OutPort product = b.matmul(query, repeated(b, key, h), false, true);
  OutPort capped = product;
  if (const double cap = n.native("softcap", 0.0); cap > 0) {
    const OutPort limit = b.like(b.in(0), cap);
    capped = b.multiply(b.op("Tanh", "opset1", {b.divide(product, limit)}), limit);
  }
  OutPort scores = capped;
  if (s.bias) scores = b.add(scores, s.bias);
  if (s.kept) scores = b.add(scores, ms::mask_where(b, b.in(0), s.kept, nothing));
  const OutPort weights = softmax(b, n, scores), some = seen(b, s);
  const auto guarded = [&](const OutPort& x) { return some ? b.select(some, x, zero) : x; };
  const OutPort y = guarded(b.matmul(weights, repeated(b, value, h)));

  Ports outputs{h.packed ? ms::heads_merged(b, y) : y, key, value, {}};
  outputs.resize(std::min<size_t>(n.out_count(), 4));
  if (outputs.size() == 4 && b.wants(3)) {
    const auto mode = n.native("qk_matmul_output_mode", 0);
    require(mode >= 0 && mode <= 3, "attribute 'qk_matmul_output_mode' is ", mode, ", expected 0 to 3");
    outputs[3] = mode == 0 ? product : mode == 1 ? capped : mode == 2 ? scores : guarded(weights);
  }
  return outputs;
}

// The parts of FlexAttention around the graphs that it has (loader/flex_attention.cpp), which compute in
// 'softmax_precision'.
static Ports flex_scores(Build& b, const SourceNode& n) {
  using namespace standard;
  const Heads h = heads_of(b, n);
  const OutPort query = b.multiply(h.query, scale_of(b, n, h));
  const auto stated = n.native("softmax_precision", 0);
  ElementType type = b.in(0).type() == ElementType::f64 ? ElementType::f64 : ElementType::f32;
  if (stated != 0) type = element_type_of_onnx(stated);
  require(is_float(type), "attribute 'softmax_precision' is ", data_type_name(stated),
          ", expected a type of floats");
  return {b.convert(b.matmul(query, repeated(b, h.key, h), false, true), type)};
}

static Ports flex_weights(Build& b, const SourceNode& /*n*/) { return {b.softmax(b.in(0), -1)}; }

static Ports flex_values(Build& b, const SourceNode& n) {
  using namespace standard;
  const Heads h = heads_of(b, n);
  const OutPort weights =
      b.in(3).type() == h.value.type() ? b.in(3) : b.op("ConvertLike", "opset1", {b.in(3), h.value});
  return {b.matmul(weights, repeated(b, h.value, h))};
}

void register_standard_attention(Registry& r) {
  replace<standard_attention>(r, {"Attention", "Attention(q, k, v, mask, past, …)",
                                  "SoftMax(q * k^T * scale + masks) * v, with heads first"});
  // The same without masks; with graphs that change scores or weights it comes in parts.
  replace<standard_attention>(r, {"FlexAttention", "FlexAttention(q, k, v)",
                                  "SoftMax(q * k^T * scale) * v, with heads first", "ai.onnx.preview"});
  replace<flex_scores>(
      r, {"FlexAttentionScores", "FlexAttentionScores(q, k, v)", "q * k^T * scale", "ai.onnx.preview"});
  replace<flex_weights>(
      r, {"FlexAttentionWeights", "FlexAttentionWeights(scores)", "SoftMax(scores)", "ai.onnx.preview"});
  replace<flex_values>(
      r, {"FlexAttentionValues", "FlexAttentionValues(q, k, v, weights)", "weights * v", "ai.onnx.preview"});
}

}  // namespace mo::onnx
