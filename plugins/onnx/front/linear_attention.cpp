// LinearAttention and GatedDeltaNet: instead of all keys and values a matrix for each head is kept, which each step
// changes.
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

struct Rule {
  bool gated, delta;
};
static Rule rule_of(const Build& b, const SourceNode& n) {
  const auto rule = n.native("update_rule", "gated_delta");
  const Rule r{rule == "gated" || rule == "gated_delta", rule == "delta" || rule == "gated_delta"};
  require(r.gated || r.delta || rule == "linear", "attribute 'update_rule' is '", rule,
          "', expected 'linear', 'gated', 'delta' or 'gated_delta'");
  require(b.has(4) == r.gated, "attribute 'update_rule' is '", rule,
          "', with which input 4, the decay, must be ", r.gated ? "given" : "left out");
  require(b.has(5) == r.delta, "attribute 'update_rule' is '", rule, "', with which input 5, beta, must be ",
          r.delta ? "given" : "left out");
  return r;
}

// How tokens that stand one behind the other belong to sequences: all of one length, or as the sums of their
// lengths in input `sums` say.
class Packing {
 public:
  // `batch` is a list of one element; `x` has `heads`, a list of one element, for each token.
  Packing(const Build& b, const OutPort& x, size_t sums, const OutPort& batch, const OutPort& heads) : b_(b) {
    if (!b.has(sums)) {
      const OutPort all = b.reshape(x, b.concat({batch, b.list({-1}), heads, b.dim(x, -1)}));
      lead_ = b.part(b.shape_of(all), 0, 2);
      return;
    }
    const OutPort all = b.convert(b.in(sums), ElementType::i64);
    const auto part = [&](int64_t begin, int64_t end) {
      return b.op("Slice", "opset8", {all, b.list({begin}), b.list({end}), b.list({1}), b.list({0})});
    };
    first_ = part(0, -1), ends_ = part(1, INT64_MAX);
    const OutPort lengths = b.unsqueeze(b.subtract(ends_, first_), b.list({1}));
    longest_ = b.reshape(b.reduce("ReduceMax", lengths, b.list({0, 1}), false), Ints{1});
    const OutPort place = b.unsqueeze(b.range(b.integer(0), b.squeeze(longest_, {0}), 1), b.list({0}));
    count_ = b.dim(x, 0);
    from_ = b.op("Minimum", "opset1",
                 {b.add(b.unsqueeze(first_, b.list({1})), place), b.subtract(count_, b.list({1}))});
    alive_ = b.unsqueeze(b.op("Less", "opset1", {place, lengths}), b.list({2, 3, 4}));
  }
  // [batch, length, heads, rest] in f32.
  OutPort unpacked(const OutPort& x, const OutPort& heads) const {
    const OutPort wide = b_.convert(x, ElementType::f32), rest = b_.list({-1});
    if (!from_) return b_.reshape(wide, b_.concat({lead_, heads, rest}));
    return b_.gather(b_.reshape(wide, b_.concat({count_, heads, rest})), from_, 0);
  }
  // [batch, length, 1, 1, 1], whether a sequence is that long; null: all are.
  OutPort alive() const { return alive_; }
  // [batch, length, heads, rest] as the tokens stand.
  OutPort packed(const OutPort& x) const {
    if (!from_) return x;
    const OutPort token = b_.range(b_.integer(0), b_.squeeze(count_, {0}), 1);
    const OutPort passed =
        b_.op("LessEqual", "opset1", {b_.unsqueeze(ends_, b_.list({1})), b_.unsqueeze(token, b_.list({0}))});
    const OutPort sequence =
        b_.reduce("ReduceSum", b_.convert(passed, ElementType::i64), b_.list({0}), false);
    const OutPort inside = b_.subtract(token, b_.gather(first_, sequence, 0));
    const OutPort flat = b_.reshape(x, b_.concat({b_.list({-1}), b_.part(b_.shape_of(x), 2, INT64_MAX)}));
    return b_.gather(flat, b_.add(b_.multiply(sequence, longest_), inside), 0);
  }

 private:
  const Build& b_;
  OutPort lead_;                                   // batch and length, where all are equally long
  OutPort first_, ends_, longest_, count_, from_;  // of sequences of several lengths
  OutPort alive_;
};

// What the decay is computed from: itself, or a projection with a bias and a factor for each head.
static OutPort log_decay(const Build& b, const SourceNode& n, const OutPort& x, const OutPort& heads) {
  const auto kind = n.native("gate_activation", "none");
  if (kind == "none") return x;
  const bool soft = kind == "softplus" || kind == "qwen";
  require(soft || kind == "sigmoid" || kind == "kda", "attribute 'gate_activation' is '", kind,
          "', expected 'none', 'softplus' or 'sigmoid'");
  require(b.has(7) && b.has(8), "attribute 'gate_activation' is '", kind,
          "', but there are no inputs 7 and 8, a_log and dt_bias");
  const OutPort by_head = b.concat({heads, b.list({-1})});
  const OutPort factor = b.op("Exp", "opset1", {b.reshape(b.convert(b.in(7), ElementType::f32), by_head)});
  const OutPort raised = b.add(x, b.reshape(b.convert(b.in(8), ElementType::f32), by_head));
  if (soft) return b.op("Negative", "opset1", {b.multiply(factor, b.op("SoftPlus", "opset4", {raised}))});
  return b.multiply(b.op("Sigmoid", "opset1", {b.multiply(factor, raised)}),
                    b.number(n.native("gate_lower_bound", -5.0)));
}

// Query, key and value, which may be one tensor; the state then says their sizes.
static Ports delta_inputs(const Build& b) {
  if (b.has(1)) {
    require(b.has(2), "input 1, the key, is given, and input 2, the value, is not");
    return {b.in(0), b.in(1), b.in(2)};
  }
  require(b.has(6),
          "query, key and value are one tensor, and input 6, the state, which tells their sizes, is ",
          "left out");
  const Shape state = b.in(6).shape(), all = b.in(0).shape();
  const bool known = state.rank() == 4 && state[1].is_static() && state[2].is_static() &&
                     state[3].is_static() && all.rank() > 0 && all[all.size() - 1].is_static();
  require(known, "the sizes of heads cannot be told from the model: the state has shape ", state,
          " and input 0 ", all);
  const int64_t heads = state[1].value(), value = state[2].value(), key = state[3].value(),
                width = all[all.size() - 1].value() - heads * value;
  require(width > 0 && width % (2 * key) == 0, "input 0 has shape ", all,
          ", which is not made of queries, keys and values of a state of shape ", state);
  const Ports parts = ms::split(b, b.in(0), -1, b.list({width / 2, width / 2, heads * value}), 3);
  const OutPort lead = b.part(b.shape_of(b.in(0)), 0, -1);
  const auto as_heads = [&](const OutPort& x, int64_t count) {
    return b.reshape(x, b.concat({lead, b.list({count, -1})}));
  };
  const int64_t queries = width / (2 * key);
  return {as_heads(parts[0], queries), as_heads(parts[1], queries), as_heads(parts[2], heads)};
}

}  // namespace linear_attention_parts

static Ports linear_attention(Build& b, const SourceNode& n) {
  using namespace linear_attention_parts;
  const Heads parts = heads_of(n);
  const int64_t heads = parts.keys;
  require(n.native("state_window", 0) == 0, "attribute 'state_window' is ", n.native("state_window", 0),
          "; states before the last are not supported");
  const auto [gated, delta] = rule_of(b, n);
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

// The state has the values first: [batch, heads, size of a value, size of a key].
static Ports gated_delta_net(Build& b, const SourceNode& n) {
  using namespace linear_attention_parts;
  require(n.native("state_update_capacity", 0) == 0, "attribute 'state_update_capacity' is ",
          n.native("state_update_capacity", 0), ": steps that may be taken back are not supported");
  const auto [gated, delta] = rule_of(b, n);
  const Ports given = delta_inputs(b);
  require(b.has(6) || b.has(3) || given[0].shape().rank() == 4,
          "the number of sequences cannot be told: inputs 3 and 6, the lengths and the state, are left out");
  const OutPort heads = b.dim(given[2], -2), groups = b.dim(given[0], -2);
  const OutPort batch = b.has(6)   ? b.dim(b.in(6), 0)
                        : b.has(3) ? b.subtract(b.dim(b.in(3), 0), b.list({1}))
                                   : b.dim(given[0], 0);
  const Packing packing(b, given[0], 3, batch, groups);
  // A head of query and key serves several of the values.
  const OutPort served = b.divide(b.multiply(b.range(b.integer(0), b.squeeze(heads, {0}), 1), groups), heads);
  const bool normed = n.native("qk_l2_norm", 0) != 0;
  const auto repeated_rows = [&](OutPort x) {
    x = packing.unpacked(x, groups);
    if (normed) {
      const OutPort sum = b.reduce("ReduceSum", b.multiply(x, x), b.list({-1}), true);
      x = b.divide(x, b.op("Sqrt", "opset1", {b.add(sum, b.number(1e-6))}));
    }
    return b.unsqueeze(b.gather(x, served, 2), b.list({3}));
  };
  const OutPort key = repeated_rows(given[1]);
  const OutPort query = scaled(b, n, repeated_rows(given[0]));
  const OutPort value = b.unsqueeze(packing.unpacked(given[2], heads), b.list({3}));
  OutPort first;
  if (b.has(6)) {
    first = b.convert(b.in(6), ElementType::f32);
  } else {
    const Node zeros = b.node("Broadcast", "opset3",
                              {b.number(0), b.concat({batch, heads, b.dim(value, 4), b.dim(key, 4)})});
    zeros.set("mode", "numpy");
    first = zeros.out_port();
  }

  StepIterator steps(b, n, "steps");
  const Build& in = steps.in();
  const auto slice = [&](const OutPort& x) { return in.squeeze(steps.slice(x, 1), {1}); };
  const OutPort q = slice(query), k = slice(key);  // [batch, heads, 1, size]
  OutPort v = slice(value);
  const OutPort before = steps.whole(first);
  OutPort state = before;
  if (gated) {
    const OutPort decay = log_decay(b, n, packing.unpacked(b.in(4), heads), heads);
    state = in.multiply(state, slice(b.unsqueeze(b.op("Exp", "opset1", {decay}), b.list({3}))));
  }
  if (delta) {
    OutPort rate = packing.unpacked(b.in(5), heads);
    const auto kind = n.native("beta_activation", "none");
    require(kind == "none" || kind == "sigmoid", "attribute 'beta_activation' is '", kind,
            "', expected 'none' or 'sigmoid'");
    if (kind == "sigmoid") rate = b.op("Sigmoid", "opset1", {rate});
    v = in.multiply(slice(b.unsqueeze(rate, b.list({3}))), in.subtract(v, in.matmul(k, state, false, true)));
  }
  state = in.add(state, in.matmul(v, k, true));
  if (packing.alive()) state = in.select(slice(packing.alive()), state, before);
  steps.collect(in.unsqueeze(in.matmul(q, state, false, true), in.list({1})), 0, 1);
  steps.next(state, before, 1);
  const Ports made = steps.finish(2);

  // [batch, length, heads, 1, size] as the query stands.
  const OutPort y = packing.packed(b.squeeze(made[0], {3}));
  const OutPort lead = b.part(b.shape_of(given[0]), 0, -2);
  const OutPort shaped = b.reshape(y, b.concat({lead, heads, b.list({-1})}));
  Ports outputs{b.op("ConvertLike", "opset1", {shaped, b.in(0)}), made[1]};
  outputs.resize(std::min<size_t>(n.out_count(), 2));
  return outputs;
}

void register_linear_attention(Registry& r) {
  replace<gated_delta_net>(r, {"GatedDeltaNet", "GatedDeltaNet(q, k, v, lengths, decay, beta, past, …)",
                               "TensorIterator: state = state * decay + v^T * k; q * state^T", ms::domain});
  replace<linear_attention>(
      r, {"LinearAttention", "LinearAttention(q, k, v, past, decay, beta)",
          "TensorIterator: state = state * decay + k^T * v; q * state", "", "", ms::domain});
}

}  // namespace mo::onnx
