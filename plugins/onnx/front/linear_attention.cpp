// LinearAttention: instead of all keys and values a matrix for each head is kept, which each step changes.
#include "support/microsoft.hpp"
#include "support/step_iterator.hpp"

namespace mo::onnx {

namespace linear_attention_parts {

// [batch, length, …] in dimensions that begin like it, as f32.
static OutPort unpacked(const Build& b, const OutPort& x, const Ints& rest) {
  Ints shape{0, 0};
  shape.insert(shape.end(), rest.begin(), rest.end());
  return b.convert(b.reshape(x, b.list(shape), true), ElementType::f32);
}

static OutPort scaled(const Build& b, const SourceNode& n, const OutPort& query) {
  const double scale = n.native("scale", 0.0);
  if (scale != 0) return b.multiply(query, b.number(scale));
  const OutPort size = b.convert(b.squeeze(b.dim(query, 4), {0}), ElementType::f32);
  return b.multiply(query, b.op("Power", "opset1", {size, b.number(-0.5)}));
}

static OutPort first_state(const Build& b, int64_t heads, const OutPort& key, const OutPort& value) {
  if (b.has(3)) return b.convert(b.in(3), ElementType::f32);
  const Node zeros =
      b.node("Broadcast", "opset3",
             {b.number(0), b.concat({b.dim(key, 0), b.list({heads}), b.dim(key, 4), b.dim(value, 4)})});
  zeros.set("mode", "numpy");
  return zeros.out_port();
}

// [batch, length, some heads, 1, size] with each head as often as to make `heads` of them.
static OutPort repeated(const Build& b, const OutPort& x, int64_t heads) {
  const OutPort place = b.range(b.integer(0), b.integer(heads), 1);
  const OutPort count = b.dim(x, 2);
  return ms::gather(b, x, b.divide(b.multiply(place, count), b.integer(heads)), 2);
}

struct Heads {
  int64_t queries, keys;
  bool shared;  // a query of several keys; only com.microsoft has it
};

static Heads heads_of(const SourceNode& n) {
  const Heads h{n.native<int64_t>("q_num_heads"), n.native<int64_t>("kv_num_heads"), false};
  require(h.keys > 0 && h.queries > 0 && (h.queries % h.keys == 0 || h.keys % h.queries == 0),
          "attributes 'q_num_heads' and 'kv_num_heads' are ", h.queries, " and ", h.keys,
          ", expected a multiple and a number above 0");
  return {h.queries, h.keys, h.queries % h.keys != 0};
}

}  // namespace linear_attention_parts

static Ports linear_attention(Build& b, const SourceNode& n) {
  using namespace linear_attention_parts;
  const Heads parts = heads_of(n);
  const int64_t heads = parts.keys;
  require(n.native("state_window", 0) == 0, "attribute 'state_window' is ", n.native("state_window", 0),
          "; states before the last are not supported");
  const auto rule = n.native("update_rule", "gated_delta");
  const bool gated = rule == "gated" || rule == "gated_delta",
             delta = rule == "delta" || rule == "gated_delta";
  require(gated || delta || rule == "linear", "attribute 'update_rule' is '", rule,
          "', expected 'linear', 'gated', 'delta' or 'gated_delta'");
  require(b.has(4) == gated, "attribute 'update_rule' is '", rule,
          "', with which input 4, the decay, must be ", gated ? "given" : "left out");
  require(b.has(5) == delta, "attribute 'update_rule' is '", rule, "', with which input 5, beta, must be ",
          delta ? "given" : "left out");

  OutPort query, key;
  if (parts.shared) {
    const OutPort size = b.divide(b.dim(b.in(0), -1), b.list({parts.queries}));
    const auto by_size = [&](const OutPort& x) {
      const OutPort shape = b.concat({b.list({0, 0, -1, 1}), size});
      return repeated(b, b.convert(b.reshape(x, shape, true), ElementType::f32), heads);
    };
    query = scaled(b, n, by_size(b.in(0)));
    key = by_size(b.in(1));
  } else {
    query = scaled(b, n, unpacked(b, b.in(0), {heads, parts.queries / heads, -1}));
    key = unpacked(b, b.in(1), {heads, 1, -1});
  }
  const OutPort value = unpacked(b, b.in(2), {heads, 1, -1});
  StepIterator steps(b, n, "steps");
  const Build& in = steps.in();
  const auto slice = [&](const OutPort& x) { return in.squeeze(steps.slice(x, 1), {1}); };
  // [batch, heads, 1 or queries of a head, size]
  const OutPort q = slice(query), k = slice(key);
  OutPort v = slice(value);
  const OutPort before = steps.whole(first_state(b, heads, key, value));
  OutPort state = before;  // [batch, heads, size of a key, size of a value]
  if (gated) {
    const OutPort decay = b.op("Exp", "opset1", {unpacked(b, b.in(4), {heads, -1, 1})});
    state = in.multiply(state, slice(decay));
  }
  if (delta) {
    const OutPort rate = slice(unpacked(b, b.in(5), {-1, 1, 1}));
    v = in.multiply(rate, in.subtract(v, in.matmul(k, state)));
  }
  state = in.add(state, in.matmul(k, v, true));
  steps.collect(in.unsqueeze(in.matmul(q, state), in.list({1})), 0, 1);
  steps.next(state, before, 1);
  const Ports made = steps.finish(2);

  const auto back = [&](const OutPort& x, const OutPort& like) {
    return b.op("ConvertLike", "opset1", {x, like});
  };
  Ports outputs{back(b.reshape(made[0], b.list({0, 0, -1}), true), b.in(0)),
                back(made[1], b.has(3) ? b.in(3) : b.in(0))};
  outputs.resize(std::min<size_t>(n.out_count(), 2));
  return outputs;
}

void register_linear_attention(Registry& r) {
  replace<linear_attention>(
      r, {"LinearAttention", "LinearAttention(q, k, v, past, decay, beta)",
          "TensorIterator: state = state * decay + k^T * v; q * state", "", "", ms::domain});
}

}  // namespace mo::onnx
