// Recurrent layers and cells. torch has the gates i, f, g, o of an LSTM and r, z, n of a GRU; the operations
// have f, i, c, o and z, r, h, the batch first, and one bias, but for the last gate of a GRU.
#include "support/values.hpp"

#include <mo/iterate.hpp>

namespace mo::pytorch {

namespace recurrent {

struct Kind {
  std::string_view sequence, cell, cell_opset;
  Ints order;  // of the gates, as numbers of torch's
  std::vector<std::string> activations;
  bool lstm() const { return order.size() == 4; }
  bool gru() const { return order.size() == 3; }
};
static Kind kind_of(char which) {
  if (which == 'l') return {"LSTMSequence", "LSTMCell", "opset4", {1, 0, 2, 3}, {"sigmoid", "tanh", "tanh"}};
  if (which == 'g') return {"GRUSequence", "GRUCell", "opset3", {1, 0, 2}, {"sigmoid", "tanh"}};
  return {"RNNSequence", "RNNCell", "opset3", {0}, {which == 'r' ? "relu" : "tanh"}};
}

static OutPort reordered(const Call& c, const OutPort& x, const Kind& kind) {
  if (kind.order.size() == 1) return x;
  const Ports gates = c.b.split(x, 0, static_cast<int64_t>(kind.order.size()));
  Ports parts;
  for (const int64_t g : kind.order) parts.push_back(gates[static_cast<size_t>(g)]);
  return c.b.concat(parts);
}

// Of one direction.
struct Weights {
  OutPort input, state, input_bias, state_bias, projection;
};

static OutPort bias_of(const Call& c, const Weights& w, const Kind& kind, int64_t hidden) {
  const auto blocks = static_cast<int64_t>(kind.order.size());
  const auto or_zeros = [&](const OutPort& x) {
    return x ? x : c.b.broadcast(c.like(w.input, 0), c.b.list({blocks * hidden}));
  };
  const OutPort x = reordered(c, or_zeros(w.input_bias), kind), h = reordered(c, or_zeros(w.state_bias), kind);
  if (!kind.gru()) return c.b.add(x, h);
  const auto part = [&](const OutPort& v, int64_t from, int64_t to) { return c.b.part(v, from, to); };
  const OutPort both = c.b.add(part(x, 0, 2 * hidden), part(h, 0, 2 * hidden));
  return c.b.concat({both, part(x, 2 * hidden, 3 * hidden), part(h, 2 * hidden, 3 * hidden)});
}

static int64_t hidden_of(const Call& c, const Weights& w, const Kind& kind) {
  return c.dim(w.input, 0) / static_cast<int64_t>(kind.order.size());
}

// x and the results [batch, time, features], states [directions, batch, features].
struct Layer {
  OutPort x;
  Ports states;
};

static Layer by_operation(const Call& c, const Kind& kind, const Layer& in, const std::vector<Weights>& directions) {
  const int64_t hidden = hidden_of(c, directions[0], kind);
  const auto stacked = [&](auto get) {
    Ports all;
    for (const Weights& w : directions) all.push_back(c.b.unsqueeze(get(w), c.b.list({0})));
    return c.b.concat(all);
  };
  Ports inputs{in.x};
  for (const OutPort& s : in.states) inputs.push_back(c.b.transpose(s, {1, 0, 2}));
  inputs.push_back(c.b.broadcast(size_of(c, in.x, 1), c.b.dim(in.x, 0)));
  inputs.push_back(stacked([&](const Weights& w) { return reordered(c, w.input, kind); }));
  inputs.push_back(stacked([&](const Weights& w) { return reordered(c, w.state, kind); }));
  inputs.push_back(stacked([&](const Weights& w) { return bias_of(c, w, kind, hidden); }));
  const Node n = c.b.node(kind.sequence, "opset5", inputs, kind.lstm() ? 3 : 2);
  n.set("direction", directions.size() == 2 ? "bidirectional" : "forward").set("hidden_size", hidden);
  n.set("activations", kind.activations);
  if (kind.gru()) n.set("linear_before_reset", true);
  // [batch, directions, time, hidden]
  const OutPort y = directions.size() == 1
                        ? c.b.squeeze(n.out_port(0), {1})
                        : c.b.reshape(c.b.transpose(n.out_port(0), {0, 2, 1, 3}), c.b.list({0, 0, -1}), true);
  Layer out{y, {}};
  for (size_t i = 1; i < n.out_count(); ++i) out.states.push_back(c.b.transpose(n.out_port(i), {1, 0, 2}));
  return out;
}

// An LSTM whose state is projected has no operation: its equations, step by step.
static Layer by_steps(const Call& c, const Layer& in, const std::vector<Weights>& directions) {
  Ports ys, hs, cs;
  for (size_t d = 0; d < directions.size(); ++d) {
    const Weights& w = directions[d];
    OutPort x = c.b.matmul(in.x, w.input, false, true);
    if (w.input_bias) x = c.b.add(x, c.b.add(w.input_bias, w.state_bias));
    const auto state = [&](size_t i) { return gather(c, in.states[i], c.b.integer(static_cast<int64_t>(d)), 0); };
    const auto step = [](const Build& b, const OutPort& now, const Ports& states, const Ports& shared) {
      const auto op = [&](std::string_view type, const OutPort& v) { return b.op(type, "opset1", {v}); };
      const Ports g = b.split(b.add(now, b.matmul(states[0], shared[0], false, true)), 1, 4);
      const OutPort fresh = b.multiply(op("Sigmoid", g[0]), op("Tanh", g[2]));
      const OutPort cell = b.add(b.multiply(op("Sigmoid", g[1]), states[1]), fresh);
      const OutPort hidden = b.multiply(op("Sigmoid", g[3]), op("Tanh", cell));
      const OutPort h = b.matmul(hidden, shared[1], false, true);
      return Ports{h, h, cell};
    };
    const Ports made = iterate(c.b, x, {state(0), state(1)}, {w.state, w.projection}, d == 1, step);
    ys.push_back(made[0]);
    hs.push_back(c.b.unsqueeze(made[1], c.b.list({0})));
    cs.push_back(c.b.unsqueeze(made[2], c.b.list({0})));
  }
  return {c.b.concat(ys, 2), {c.b.concat(hs), c.b.concat(cs)}};
}

template <char Which>
static Ports layers(const Call& c) {
  const Kind kind = kind_of(Which);
  require(c.number("dropout", 0) == 0 || !c.flag("train", false),
          "dropout draws random numbers in training; export the model after eval()");
  const bool both = c.flag("bidirectional", false), batch_first = c.flag("batch_first", false);
  const bool biases = c.flag("has_biases", true);
  const size_t directions = both ? 2 : 1;
  const auto count = static_cast<size_t>(c.integer("num_layers"));
  const Ports params = c.tensors("params"), states = c.tensors("hx");
  const size_t cells = count * directions, each = cells == 0 ? 0 : params.size() / cells;
  const bool projected = kind.lstm() && each == (biases ? 5U : 3U);
  require(cells > 0 && params.size() % cells == 0 && (projected || each == (biases ? 4U : 2U)), "it has ",
          params.size(), " weights for ", count, " layers of ", directions, " directions");
  require(states.size() == (kind.lstm() ? 2U : 1U), "it has ", states.size(), " initial states");
  OutPort x = c.tensor("input");
  require(c.rank(x) == 3, "it reads a tensor of ", c.rank(x), " dimensions, expected 3");
  if (!batch_first) x = c.b.transpose(x, {1, 0, 2});
  Layer now{x, {}};
  std::vector<Ports> last(states.size());
  for (size_t l = 0; l < count; ++l) {
    std::vector<Weights> weights;
    for (size_t d = 0; d < directions; ++d) {
      const OutPort* p = params.data() + (l * directions + d) * each;
      Weights w{p[0], p[1], {}, {}, {}};
      if (biases) w.input_bias = p[2], w.state_bias = p[3];
      if (projected) w.projection = p[each - 1];
      weights.push_back(w);
    }
    now.states.clear();
    const auto first = static_cast<int64_t>(l * directions);
    for (const OutPort& s : states)
      now.states.push_back(slice(c, s, 0, first, first + static_cast<int64_t>(directions)));
    now = projected ? by_steps(c, now, weights) : by_operation(c, kind, now, weights);
    for (size_t i = 0; i < states.size(); ++i) last[i].push_back(now.states[i]);
  }
  Ports out{batch_first ? now.x : c.b.transpose(now.x, {1, 0, 2})};
  for (const Ports& s : last) out.push_back(c.b.concat(s));
  return out;
}

template <char Which>
static Ports cell(const Call& c) {
  const Kind kind = kind_of(Which);
  const Weights w{c.tensor("w_ih"), c.tensor("w_hh"), c.find_tensor("b_ih"), c.find_tensor("b_hh"), {}};
  const int64_t hidden = hidden_of(c, w, kind);
  Ports inputs{c.tensor("input")};
  for (const OutPort& s : c.tensors("hx")) inputs.push_back(s);
  inputs.push_back(reordered(c, w.input, kind));
  inputs.push_back(reordered(c, w.state, kind));
  inputs.push_back(bias_of(c, w, kind, hidden));
  const Node n = c.b.node(kind.cell, kind.cell_opset, inputs, kind.lstm() ? 2 : 1);
  n.set("hidden_size", hidden).set("activations", kind.activations);
  if (kind.gru()) n.set("linear_before_reset", true);
  return n.out_ports();
}

static Ports packed(const Call&) {
  decline("it reads a packed sequence, whose layout depends on the lengths; export the layer with padded "
          "sequences (batch_first and a mask) instead of pack_padded_sequence");
}

}  // namespace recurrent

void register_recurrent(Registry& r) {
  using namespace recurrent;
  convert<layers<'l'>>(r, "aten.lstm.input", "lstm(x, states, weights)",
                       "LSTMSequence-5 for each layer; with a projection TensorIterator");
  convert<layers<'g'>>(r, "aten.gru.input", "gru(x, state, weights)", "GRUSequence-5 for each layer");
  convert<layers<'t'>>(r, "aten.rnn_tanh.input", "rnn_tanh(x, state, weights)", "RNNSequence-5 for each layer");
  convert<layers<'r'>>(r, "aten.rnn_relu.input", "rnn_relu(x, state, weights)", "RNNSequence-5 for each layer");
  convert<cell<'l'>>(r, "aten.lstm_cell.default", "lstm_cell(x, states, weights)", "LSTMCell-4(x, states, weights)");
  convert<cell<'g'>>(r, "aten.gru_cell.default", "gru_cell(x, state, weights)", "GRUCell-3(x, state, weights)");
  convert<cell<'t'>>(r, "aten.rnn_tanh_cell.default", "rnn_tanh_cell(x, state, weights)",
                     "RNNCell(x, state, weights)");
  convert<cell<'r'>>(r, "aten.rnn_relu_cell.default", "rnn_relu_cell(x, state, weights)",
                     "RNNCell(x, state, weights)");
  convert<packed>(r, "aten.lstm.data aten.gru.data aten.rnn_tanh.data aten.rnn_relu.data",
                  "lstm(packed sequence)", "declined: the layout depends on the lengths");
}

}  // namespace mo::pytorch
