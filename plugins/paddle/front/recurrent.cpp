// Layers of LSTM, GRU or plain cells in one operator. Each layer becomes a sequence operation, which has the batch
// first.
#include "support/operator.hpp"

#include <mo/extract.hpp>

namespace mo::paddle {

namespace recurrent {

struct Form {
  std::string mode;
  int64_t gates = 1, hidden = 0, layers = 1, directions = 1;
};

// The blocks of dimension 0 in another order.
static OutPort reordered(const Op& o, const OutPort& x, const Ints& order) {
  const Ports parts = o.split(x, 0, static_cast<int64_t>(order.size()));
  Ports list;
  for (const int64_t i : order) list.push_back(parts[static_cast<size_t>(i)]);
  return o.concat(list, 0);
}

// An LSTM has gates input, forget, cell, output here and forget, input, cell, output there; a GRU reset, update,
// new here and update, reset, new there.
static OutPort gates(const Op& o, const Form& f, const OutPort& x) {
  if (f.gates == 4) return reordered(o, x, {1, 0, 2, 3});
  return f.gates == 3 ? reordered(o, x, {1, 0, 2}) : x;
}

// The biases count as one, apart from those of a GRU's new gate, which resets in between.
static OutPort bias(const Op& o, const Form& f, const OutPort& x, const OutPort& h) {
  const OutPort both = gates(o, f, o.add(x, h));
  if (f.gates != 3) return both;
  const int64_t two = 2 * f.hidden;
  return o.concat(
      {o.slice(both, 0, 0, two), o.slice(x, 0, two, 3 * f.hidden), o.slice(h, 0, two, 3 * f.hidden)}, 0);
}

struct Weights {
  OutPort w, r, b;  // [directions, …]
};
// The weights of all layers and directions stand before the biases of all.
static Weights weights_of(const Op& o, const Form& f, const Ports& list, int64_t layer) {
  Ports w, r, b;
  const auto all = static_cast<size_t>(2 * f.layers * f.directions);
  for (int64_t d = 0; d < f.directions; ++d) {
    const auto at = static_cast<size_t>(2 * (layer * f.directions + d));
    const auto one = [&](const OutPort& p) { return o.unsqueezed(p, {0}); };
    w.push_back(one(gates(o, f, list[at])));
    r.push_back(one(gates(o, f, list[at + 1])));
    const bool has_bias = list.size() >= 2 * all;
    const OutPort zeros =
        has_bias ? OutPort() : o.broadcast(o.like(list[at], 0), o.list({f.gates * f.hidden}));
    b.push_back(one(has_bias ? bias(o, f, list[all + at], list[all + at + 1]) : bias(o, f, zeros, zeros)));
  }
  return {o.concat(w, 0), o.concat(r, 0), o.concat(b, 0)};
}

static Ports rnn(const Op& o) {
  Form f;
  f.mode = o.word("mode", "LSTM");
  f.gates = f.mode == "LSTM" ? 4 : f.mode == "GRU" ? 3 : 1;
  require(f.gates != 1 || f.mode == "RNN_TANH" || f.mode == "RNN_RELU", "attribute 'mode' is '", f.mode,
          "', expected LSTM, GRU, RNN_TANH or RNN_RELU");
  f.hidden = o.integer("hidden_size", 0);
  f.layers = o.integer("num_layers", 1);
  f.directions = o.flag("is_bidirec", false) ? 2 : 1;
  require(f.hidden > 0 && f.layers > 0 && f.layers <= 1024, "attributes 'hidden_size' and 'num_layers' are ",
          f.hidden, " and ", f.layers);
  const Ports list = o.all("2 WeightList"), states = o.all("1 PreState");
  require(static_cast<int64_t>(list.size()) >= 2 * f.layers * f.directions, "it has ", list.size(),
          " weights, expected ", 4 * f.layers * f.directions);
  const size_t kinds = f.gates == 4 ? 2 : 1;
  require(states.size() == kinds, "it has ", states.size(), " first states, expected ", kinds);
  OutPort x = o.in("0 Input");
  require(o.rank(x) == 3, "it reads ", o.rank(x), " dimensions, expected time, batch and features");
  const OutPort time = o.dim(x, 0), batch = o.dim(x, 1);
  const OutPort lengths = o.has("3 SequenceLength") ? o.convert(o.in("3 SequenceLength"), ElementType::i32)
                                                    : o.convert(o.broadcast(time, batch), ElementType::i32);
  x = o.transpose(x, {1, 0, 2});
  std::vector<Ports> last(kinds);
  for (int64_t layer = 0; layer < f.layers; ++layer) {
    const Weights w = weights_of(o, f, list, layer);
    Ports inputs{x};
    for (const OutPort& s : states) {
      const int64_t first = layer * f.directions;
      const OutPort mine = f.layers == 1 ? s : o.slice(s, 0, first, first + f.directions);
      inputs.push_back(o.transpose(mine, {1, 0, 2}));
    }
    inputs.insert(inputs.end(), {lengths, w.w, w.r, w.b});
    const Node n = o.node(f.gates == 4   ? "LSTMSequence"
                          : f.gates == 3 ? "GRUSequence"
                                         : "RNNSequence",
                          "opset5", inputs, static_cast<uint32_t>(kinds) + 1);
    n.set("direction", f.directions == 2 ? "bidirectional" : "forward").set("hidden_size", f.hidden);
    if (f.gates == 3) n.set("linear_before_reset", true);
    std::vector<std::string> activations{"sigmoid", "tanh", "tanh"};
    if (f.gates == 3) activations = {"sigmoid", "tanh"};
    if (f.gates == 1) activations = {f.mode == "RNN_RELU" ? "relu" : "tanh"};
    n.set("activations", activations);
    // [batch, directions, time, size] becomes [batch, time, directions * size].
    x = o.reshape(o.transpose(n.out_port(), {0, 2, 1, 3}), Ints{0, 0, f.directions * f.hidden});
    for (size_t i = 0; i < kinds; ++i) last[i].push_back(o.transpose(n.out_port(i + 1), {1, 0, 2}));
  }
  Ports ends;
  for (const Ports& all : last) ends.push_back(o.concat(all, 0));
  return o.give({{"0 Out", {o.transpose(x, {1, 0, 2})}}, {"2 State", ends}});
}

}  // namespace recurrent

void register_recurrent(Registry& r) {
  convert<recurrent::rnn>(r, "rnn", "rnn(x, states, weights)",
                          "LSTMSequence, GRUSequence or RNNSequence for each layer");
}

}  // namespace mo::paddle
