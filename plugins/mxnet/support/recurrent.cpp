#include "support/recurrent.hpp"

#include "support/numbers.hpp"

#include <mo/iterate.hpp>

namespace mo::mxnet {

RecurrentForm recurrent_form(const SourceNode& n) {
  RecurrentForm f;
  f.mode = n.native<std::string>("mode");
  require(f.mode == "rnn_relu" || f.mode == "rnn_tanh" || f.mode == "lstm" || f.mode == "gru",
          "attribute 'mode' is '", f.mode, "'; expected rnn_relu, rnn_tanh, lstm or gru");
  f.gates = f.mode == "lstm" ? 4 : f.mode == "gru" ? 3 : 1;
  f.hidden = n.native<int64_t>("state_size");
  f.layers = n.native("num_layers", 1);
  f.directions = n.native("bidirectional", false) ? 2 : 1;
  f.has_lengths = n.native("use_sequence_length", false);
  require(f.hidden > 0 && f.hidden <= INT32_MAX && f.layers > 0 && f.layers <= 1024,
          "attributes 'state_size' and ", "'num_layers' are ", f.hidden, " and ", f.layers);
  const bool is_lstm = f.mode == "lstm", low = n.has_native("lstm_state_clip_min"),
             high = n.has_native("lstm_state_clip_max");
  f.projection = n.native("projection_size", 0);
  require(f.projection >= 0 && f.projection <= f.hidden, "attribute 'projection_size' is ", f.projection,
          ", but the states have ", f.hidden, " numbers");
  require(low == high, "of attributes 'lstm_state_clip_min' and 'lstm_state_clip_max' there is only one");
  if (low) f.clip.emplace(n.native<double>("lstm_state_clip_min"), n.native<double>("lstm_state_clip_max"));
  require(!f.clip || f.clip->first <= f.clip->second, "attribute 'lstm_state_clip_min' is greater than ",
          "'lstm_state_clip_max'");
  require(is_lstm || !f.is_written_out(), "only an LSTM has a projection or cuts its state, but attribute ",
          "'mode' is '", f.mode, "'");
  return f;
}

RecurrentParameters::RecurrentParameters(const Build& b, const RecurrentForm& f, int64_t inputs)
    : b_(b), f_(f), inputs_(inputs) {
  const int64_t rows = detail::checked_mul(f.gates, f.hidden);
  Ints sizes;
  for (int64_t layer = 0; layer < f.layers; ++layer)
    for (int64_t d = 0; d < f.directions; ++d) {
      sizes.push_back(detail::checked_mul(rows, width(layer)));
      sizes.push_back(detail::checked_mul(rows, f.output()));
      if (f.projection != 0) sizes.push_back(detail::checked_mul(f.projection, f.hidden));
    }
  first_bias_ = sizes.size();
  sizes.resize(first_bias_ + static_cast<size_t>(2 * f.layers * f.directions), rows);
  const Node s =
      b.node("VariadicSplit", "opset1", {b.reshape(b.in(1), Ints{-1}), b.integer(0), b.list(sizes)},
             static_cast<uint32_t>(sizes.size()));
  parts_ = s.out_ports();
}

RecurrentLayer RecurrentParameters::layer(int64_t index) const {
  const int64_t rows = f_.gates * f_.hidden;
  const auto all = [&](size_t at, size_t step, const Ints& dims) {
    Ports list;
    for (size_t d = 0; d < static_cast<size_t>(f_.directions); ++d)
      list.push_back(b_.reshape(parts_[at + step * d], dims));
    return b_.concat(list, 0);
  };
  const size_t weights = f_.projection == 0 ? 2 : 3, before = static_cast<size_t>(f_.directions * index),
               first = weights * before, bias = first_bias_ + 2 * before;
  return {all(first, weights, {1, rows, width(index)}), all(first + 1, weights, {1, rows, f_.output()}),
          all(bias, 2, {1, rows}), all(bias + 1, 2, {1, rows}),
          f_.projection == 0 ? OutPort() : all(first + 2, weights, {1, f_.projection, f_.hidden})};
}

namespace {

OutPort product(const Build& b, const OutPort& x, const OutPort& w) { return b.matmul(x, w, false, true); }

// {output, output, state} of x, {output, state} before, and {w, r, bias, projection}. Gates are input,
// forget, cell and output; the state is cut before the output looks at it.
Ports lstm_step(const Build& b, const RecurrentForm& f, const OutPort& x, const Ports& states,
                const Ports& shared) {
  const OutPort sums = b.add(b.add(product(b, x, shared[0]), product(b, states[0], shared[1])), shared[2]);
  const Node gates = b.node("Split", "opset1", {sums, b.integer(1)}, 4);
  gates.set("num_splits", int64_t{4});
  const auto act = [&](const char* kind, const OutPort& y) { return b.op(kind, "opset1", {y}); };
  const OutPort input = act("Sigmoid", gates.out_port(0)), forget = act("Sigmoid", gates.out_port(1)),
                fresh = act("Tanh", gates.out_port(2)), output = act("Sigmoid", gates.out_port(3));
  OutPort cell = b.add(b.multiply(forget, states[1]), b.multiply(input, fresh));
  if (f.clip) {
    const Node c = b.node("Clamp", "opset1", {cell});
    c.set("min", f.clip->first).set("max", f.clip->second);
    cell = c.out_port();
  }
  OutPort y = b.multiply(output, act("Tanh", cell));
  if (f.projection != 0) y = product(b, y, shared[3]);
  return {y, y, cell};
}

}  // namespace

// The same as `step` for sequences that end on their own: beyond its length the outputs of one are zeros, and
// its states stay. The last state counts the steps, the last shared value are the lengths.
static Ports step_within(const Build& b, const OutPort& x, const Ports& states, const Ports& shared,
                         int64_t direction, const IterationStep& step) {
  const OutPort time = states.back(), lengths = shared.back();
  const OutPort runs = b.unsqueeze(b.op("Less", "opset1", {time, lengths}), b.list({1}));
  Ports made = step(b, x, {states.begin(), states.end() - 1}, {shared.begin(), shared.end() - 1});
  made[0] = b.select(runs, made[0], b.like(made[0], 0));
  for (size_t i = 1; i < made.size(); ++i) made[i] = b.select(runs, made[i], states[i - 1]);
  made.push_back(b.add(time, b.list({direction})));
  return made;
}

Ports lstm_written_out(const Build& b, const RecurrentForm& f, const RecurrentLayer& l, const OutPort& x,
                       const Ports& first, const OutPort& lengths) {
  const auto of = [&](const OutPort& all, int64_t direction, int64_t axis) {
    return b.op("Gather", "opset1", {all, b.integer(direction), b.integer(axis)});
  };
  const OutPort bias = b.add(l.bx, l.bh);
  std::vector<Ports> parts(3);
  for (int64_t d = 0; d < f.directions; ++d) {
    Ports shared{of(l.w, d, 0), of(l.r, d, 0), of(bias, d, 0)},
        states{of(first[0], d, 1), of(first[1], d, 1)};
    if (l.projection) shared.push_back(of(l.projection, d, 0));
    const IterationStep step = [&](const Build& in, const OutPort& y, const Ports& before,
                                   const Ports& inner) { return lstm_step(in, f, y, before, inner); };
    const IterationStep within = [&](const Build& in, const OutPort& y, const Ports& before,
                                     const Ports& inner) {
      return step_within(in, y, before, inner, d == 0 ? 1 : -1, step);
    };
    if (f.has_lengths) {
      shared.push_back(lengths);
      states.push_back(d == 0 ? b.list({0}) : b.subtract(b.dim(x, 1), b.list({1})));
    }
    const Ports y = iterate(b, x, states, shared, d == 1, f.has_lengths ? within : step);
    for (size_t i = 0; i < 3; ++i) parts[i].push_back(b.unsqueeze(y[i], b.list({1})));
  }
  return {b.concat(parts[0], 1), b.concat(parts[1], 1), b.concat(parts[2], 1)};
}

}  // namespace mo::mxnet
