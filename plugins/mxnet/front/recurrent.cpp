// RNN: layers of LSTM, GRU or plain cells in one operator, with all weights in one list. Each layer becomes a
// sequence operation, which has the batch first.
#include "support/recurrent.hpp"
#include "support/numbers.hpp"
#include "support/registering.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace recurrent {

using Form = RecurrentForm;
using Layer = RecurrentLayer;

// The blocks of dimension 1 in another order.
static OutPort reordered(const Build& b, const OutPort& x, const Ints& order) {
  const Node parts = b.node("Split", "opset1", {x, b.integer(1)}, static_cast<uint32_t>(order.size()));
  parts.set("num_splits", static_cast<int64_t>(order.size()));
  Ports list;
  for (const int64_t i : order) list.push_back(parts.out_port(static_cast<size_t>(i)));
  return b.concat(list, 1);
}

// An LSTM has gates input, forget, cell, output here and forget, input, cell, output there; a GRU reset,
// update, new here and update, reset, new there.
static OutPort gates(const Build& b, const Form& f, const OutPort& x) {
  if (f.gates == 4) return reordered(b, x, {1, 0, 2, 3});
  return f.gates == 3 ? reordered(b, x, {1, 0, 2}) : x;
}

// The biases count as one, apart from those of a GRU's new gate, which resets in between.
static OutPort bias(const Build& b, const Form& f, const Layer& l) {
  const OutPort both = gates(b, f, b.add(l.bx, l.bh));
  if (f.gates != 3) return both;
  const auto last = [&](const OutPort& x, int64_t begin) {
    const Node s =
        b.node("VariadicSplit", "opset1", {x, b.integer(1), b.list({begin, 3 * f.hidden - begin})}, 2);
    return s;
  };
  return b.concat({last(both, 2 * f.hidden).out_port(0), last(l.bx, 2 * f.hidden).out_port(1),
                   last(l.bh, 2 * f.hidden).out_port(1)},
                  1);
}

static bool is_zero(const OutPort& x) {
  const auto value = x.value();
  if (!value) return false;
  const auto numbers = value->to_floats();
  return std::all_of(numbers.begin(), numbers.end(), [](float v) { return v == 0; });
}

// The first states of all layers, each [batch, directions, size].
static Ports states(const Build& b, const Form& f, size_t input, const OutPort& batch, int64_t size) {
  const auto count = static_cast<size_t>(f.layers);
  const OutPort one_layer = b.concat({batch, b.list({f.directions, size})});
  if (!b.has(input) || is_zero(b.in(input))) return Ports(count, b.broadcast(b.like(b.in(0), 0), one_layer));
  OutPort all = b.in(input);
  const Shape s = shape_of(b, all);
  if (s.rank() == 3 && s[1] == Dim(1))
    all = b.broadcast(all, b.concat({b.list({f.layers * f.directions}), batch, b.list({size})}));
  all = b.transpose(all, {1, 0, 2});
  if (count == 1) return {all};
  const Node split = b.node("Split", "opset1", {all, b.integer(1)}, static_cast<uint32_t>(count));
  split.set("num_splits", f.layers);
  return split.out_ports();
}

static Ports sequence(const Build& b, const Form& f, const Ports& inputs) {
  const Node s = b.node(f.gates == 4   ? "LSTMSequence"
                        : f.gates == 3 ? "GRUSequence"
                                       : "RNNSequence",
                        "opset5", inputs, f.gates == 4 ? 3 : 2);
  s.set("direction", f.directions == 2 ? "bidirectional" : "forward").set("hidden_size", f.hidden);
  if (f.gates == 3) s.set("linear_before_reset", true);
  std::vector<std::string> activations{"sigmoid", "tanh", "tanh"};
  if (f.gates == 3) activations = {"sigmoid", "tanh"};
  if (f.gates == 1) activations = {f.mode == "rnn_relu" ? "relu" : "tanh"};
  s.set("activations", activations);
  return s.out_ports();
}

// All steps of a layer in one operation.
static Ports in_one(const Build& b, const Form& f, const Layer& l, const OutPort& x, const OutPort& hidden,
                    const OutPort& cell, const OutPort& lengths) {
  Ports inputs{x, hidden};
  if (cell) inputs.push_back(cell);
  inputs.insert(inputs.end(), {lengths, gates(b, f, l.w), gates(b, f, l.r), bias(b, f, l)});
  return sequence(b, f, inputs);
}

static Ports rnn(Build& b, const SourceNode& n) {
  const Form f = recurrent_form(n);
  require(rank_of(b, b.in(0)) == 3, "it reads ", rank_of(b, b.in(0)),
          " dimensions; expected time, batch and features");
  const RecurrentParameters parameters(b, f, dim_of(b, b.in(0), 2));
  const OutPort batch = b.dim(b.in(0), 1), time = b.dim(b.in(0), 0);
  const Ports hidden = states(b, f, 2, batch, f.output());
  const Ports cells = f.gates == 4 ? states(b, f, 3, batch, f.hidden) : Ports();
  const size_t last_input = f.gates == 4 ? 4 : 3;
  const OutPort lengths = f.has_lengths ? as_index(b, b.in(last_input)) : b.broadcast(time, batch);
  OutPort x = b.transpose(b.in(0), {1, 0, 2});
  std::vector<Ports> last(f.gates == 4 ? 2 : 1);
  for (int64_t layer = 0; layer < f.layers; ++layer) {
    const auto at = static_cast<size_t>(layer);
    const Layer l = parameters.layer(layer);
    const Ports s = f.is_written_out()
                        ? lstm_written_out(b, f, l, x, {hidden[at], cells[at]}, lengths)
                        : in_one(b, f, l, x, hidden[at], f.gates == 4 ? cells[at] : OutPort(), lengths);
    // [batch, directions, time, size] becomes [batch, time, directions * size].
    const OutPort y = b.transpose(s[0], {0, 2, 1, 3});
    x = b.reshape(y, Ints{0, 0, f.directions * f.output()});
    for (size_t i = 0; i < last.size(); ++i) last[i].push_back(b.transpose(s[i + 1], {1, 0, 2}));
  }
  Ports outputs{b.transpose(x, {1, 0, 2})};
  for (const Ports& all : last) outputs.push_back(b.concat(all, 0));
  return outputs;
}

}  // namespace recurrent

void register_recurrent(Registry& r) {
  convert<recurrent::rnn>(r, "RNN _npx_rnn", "RNN(x, parameters, states)",
                          "LSTMSequence, GRUSequence or RNNSequence for each layer, or a TensorIterator");
}

}  // namespace mo::mxnet
