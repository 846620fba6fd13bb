// LSTM, GRU and RNN become sequence operations: those have the batch first, other orders of the gates and one
// bias, and need all states. With activations that these do not have they become iterators over the steps.
#include "support/build.hpp"
#include "support/cells.hpp"

namespace mo::onnx {

namespace recurrent {

struct Kind {
  std::string_view type;
  int64_t gates = 1;
  std::vector<std::string> activations;
  bool first_version = false;  // LSTMSequence-1, which alone has peepholes and coupled gates
  bool coupled = false;        // the forget gate is 1 - the input gate
  bool quantized = false;      // weights of 8 bits, with the gates behind the inputs
};

// What the attributes say, and X with the batch first.
struct Form {
  bool batch_first = false;
  std::string direction;
  int64_t directions = 1, hidden = 0;
  OutPort x, batch, time;  // batch and time: lists of one element
};

static int64_t hidden_size(const Build& b, const SourceNode& n, const Kind& kind) {
  const auto stated = n.find_native<int64_t>("hidden_size");
  const Shape r = b.in(2).shape();
  const size_t axis = kind.quantized ? 1 : 2;
  const bool known = r.rank() == 3 && r[axis].is_static();
  require(stated || known, "attribute 'hidden_size' is missing and the shape of R is not known");
  const int64_t hidden = stated ? *stated : r[axis].value();
  require(hidden > 0, "attribute 'hidden_size' is ", hidden, ", expected at least 1");
  return hidden;
}

static Form read(const Build& b, const SourceNode& n, const Kind& kind) {
  Form f;
  const auto layout = n.native("layout", 0);
  require(layout == 0 || layout == 1, "attribute 'layout' is ", layout, ", expected 0 or 1");
  f.batch_first = layout == 1;
  f.direction = n.native("direction", "forward");
  require(f.direction == "forward" || f.direction == "reverse" || f.direction == "bidirectional",
          "attribute 'direction' is '", f.direction, "', expected forward, reverse or bidirectional");
  f.directions = f.direction == "bidirectional" ? 2 : 1;
  f.hidden = hidden_size(b, n, kind);
  f.x = f.batch_first ? b.in(0) : b.transpose(b.in(0), {1, 0, 2});
  f.batch = b.dim(b.in(0), f.batch_first ? 0 : 1);
  f.time = b.dim(b.in(0), f.batch_first ? 1 : 0);
  return f;
}

// The operations have three activations, the same in both directions, and coupled gates of one of them.
static bool has_sequence(const Kind& kind, const std::vector<Activation>& all) {
  const size_t count = kind.activations.size();
  for (size_t i = 0; i < all.size(); ++i)
    if (!is_of_sequences(all[i]) || all[i].name != all[i % count].name) return false;
  return !kind.coupled || all[0].name == "sigmoid";
}

static Ports blocks(const Build& b, const OutPort& x, uint32_t count) {
  const Node parts = b.node("Split", "opset1", {x, b.integer(1)}, count);
  parts.set("num_splits", static_cast<int64_t>(count));
  return parts.out_ports();
}

// Coupled gates have the input gate 1 - forget gate in LSTMSequence-1, and sigmoid(-x) is 1 - sigmoid(x).
static OutPort forget(const Build& b, const Kind& kind, const OutPort& own, const OutPort& input) {
  return kind.coupled ? b.op("Negative", "opset1", {input}) : own;
}

// ONNX has gates i, o, f, c for an LSTM, the operation f, i, c, o; z, r, h of a GRU are the same.
static OutPort gates(const Build& b, const Kind& kind, const OutPort& x) {
  if (kind.gates != 4) return x;
  const Ports p = blocks(b, x, 4);
  return b.concat({forget(b, kind, p[2], p[0]), p[0], p[3], p[1]}, 1);
}

// Of i, o, f; those of the operation are of f, i, o.
static OutPort peepholes(const Build& b, const Kind& kind, const OutPort& x) {
  const Ports p = blocks(b, x, 3);
  return b.concat({forget(b, kind, p[2], p[0]), p[0], p[1]}, 1);
}

// The biases of W and R count as one, apart from those of the hidden gate of a GRU that resets afterwards.
static OutPort bias(const Build& b, const Kind& kind, const Form& f, bool reset_after) {
  if (!b.has(3)) {
    const int64_t blocks = kind.gates + (reset_after ? 1 : 0);
    const Node zeros =
        b.node("Broadcast", "opset3", {b.like(b.in(0), 0), b.list({f.directions, blocks * f.hidden})});
    zeros.set("mode", "numpy");
    return zeros.out_port();
  }
  if (reset_after) {
    const Node parts =
        b.node("VariadicSplit", "opset1",
               {b.in(3), b.integer(1), b.list({2 * f.hidden, f.hidden, 2 * f.hidden, f.hidden})}, 4);
    const OutPort both = b.add(parts.out_port(0), parts.out_port(2));
    return b.concat({both, parts.out_port(1), parts.out_port(3)}, 1);
  }
  const Ports halves = blocks(b, b.in(3), 2);
  return gates(b, kind, b.add(halves[0], halves[1]));
}

// An initial state [batch, directions, hidden]; without one it is zero.
static OutPort state(const Build& b, const Form& f, size_t input) {
  if (b.has(input)) return f.batch_first ? b.in(input) : b.transpose(b.in(input), {1, 0, 2});
  const Node zeros = b.node("Broadcast", "opset3",
                            {b.like(b.in(0), 0), b.concat({f.batch, b.list({f.directions, f.hidden})})});
  zeros.set("mode", "numpy");
  return zeros.out_port();
}

// Input i, [directions, gates * hidden, inputs]. Devices want weights of sequences as constants of floats, so
// those of 8 bits do not stay packed: their scales and zero points, from input `scale` on, are one for each
// direction, or one for each column.
static OutPort weights(const Build& b, const Kind& kind, const Form& f, size_t i, size_t scale) {
  if (!kind.quantized) return b.in(i);
  const auto parameter = [&](size_t k) {
    return b.reshape(b.convert(b.in(k), ElementType::f32), Ints{f.directions, 1, -1});
  };
  OutPort w = b.convert(b.in(i), ElementType::f32);
  if (b.has(scale + 1)) w = b.subtract(w, parameter(scale + 1));
  return b.transpose(b.multiply(w, parameter(scale)), {0, 2, 1});
}

static OutPort lengths(const Build& b, const Form& f) {
  if (b.has(4)) return b.in(4);
  return b.broadcast(f.time, f.batch);
}

// One iterator for each direction.
static Ports stepped(const Build& b, const SourceNode& n, const Kind& kind, const Form& f,
                     const std::vector<Activation>& activations) {
  const OutPort w = weights(b, kind, f, 1, 8), r = weights(b, kind, f, 2, 10);
  CellInputs in;
  in.x = f.batch_first ? b.transpose(b.in(0), {1, 0, 2}) : b.in(0);
  if (b.has(4)) {
    const OutPort steps = b.range(b.integer(0), b.squeeze(f.time, {0}), 1);
    const OutPort lengths = b.convert(b.in(4), ElementType::i64);
    in.alive =
        b.op("Less", "opset1", {b.unsqueeze(steps, b.list({1, 2})), b.unsqueeze(lengths, b.list({0, 2}))});
  }
  std::vector<Ports> results(kind.gates == 4 ? 3 : 2);
  for (int64_t d = 0; d < f.directions; ++d) {
    const auto of_direction = [&](const OutPort& x, int64_t axis) {
      return x ? b.gather(x, b.integer(d), axis) : x;
    };
    const auto input = [&](size_t i) { return b.has(i) ? b.in(i) : OutPort(); };
    in.w = of_direction(w, 0), in.r = of_direction(r, 0);
    in.bias = of_direction(input(3), 0),
    in.peepholes = of_direction(kind.gates == 4 ? input(7) : OutPort(), 0);
    in.states.clear();
    for (size_t i = 5; i < (kind.gates == 4 ? 7U : 6U); ++i)
      in.states.push_back(of_direction(state(b, f, i), 1));
    CellForm form;
    form.gates = kind.gates, form.hidden = f.hidden, form.coupled = kind.coupled;
    form.clip = n.native("clip", 0.0);
    form.reset_after = n.native("linear_before_reset", 0) != 0;
    form.reverse = d == 1 || f.direction == "reverse";
    const auto first = activations.begin() + d * static_cast<int64_t>(kind.activations.size());
    form.activations.assign(first, first + static_cast<int64_t>(kind.activations.size()));
    const Ports made = stepped_cell(b, n, form, in);
    for (size_t i = 0; i < made.size(); ++i)
      results[i].push_back(b.unsqueeze(made[i], b.list({i == 0 ? 1 : 0})));
  }
  Ports outputs(n.out_count());
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!b.wants(i)) continue;
    outputs[i] = b.concat(results.at(i), i == 0 ? 1 : 0);
    if (f.batch_first) outputs[i] = b.transpose(outputs[i], i == 0 ? Ints{2, 0, 1, 3} : Ints{1, 0, 2});
  }
  return outputs;
}

static Ports sequence(Build& b, const SourceNode& n, const Kind& kind) {
  const Form f = read(b, n, kind);
  const auto activations = activations_of(n, kind.activations, f.directions);
  if (!has_sequence(kind, activations)) return stepped(b, n, kind, f, activations);
  const bool lstm = kind.gates == 4, reset_after = kind.gates == 3 && n.native("linear_before_reset", 0) != 0;
  Ports inputs{f.x, state(b, f, 5)};
  if (lstm) inputs.push_back(state(b, f, 6));
  inputs.insert(inputs.end(), {lengths(b, f), gates(b, kind, weights(b, kind, f, 1, 8)),
                               gates(b, kind, weights(b, kind, f, 2, 10)), bias(b, kind, f, reset_after)});
  if (lstm && b.has(7)) inputs.push_back(peepholes(b, kind, b.in(7)));
  const Node s = b.node(kind.type, kind.first_version ? "opset1" : "opset5", inputs, lstm ? 3 : 2);
  s.set("direction", f.direction).set("hidden_size", f.hidden);
  std::vector<std::string> names;
  for (size_t i = 0; i < kind.activations.size(); ++i) names.push_back(activations[i].name);
  s.set("activations", names);
  if (const double clip = n.native("clip", 0.0); clip != 0) s.set("clip", clip);
  if (kind.gates == 3) s.set("linear_before_reset", reset_after);
  if (kind.coupled) s.set("input_forget", true);

  // [batch, directions, time, hidden] and [batch, directions, hidden].
  Ports outputs(n.out_count());
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!b.wants(i)) continue;
    const OutPort out = s.out_port(i);
    if (i == 0)
      outputs[i] = b.transpose(out, f.batch_first ? Ints{0, 2, 1, 3} : Ints{2, 1, 0, 3});
    else
      outputs[i] = f.batch_first ? out : b.transpose(out, {1, 0, 2});
  }
  return outputs;
}

}  // namespace recurrent

// back.write_out_peepholes writes the equations of LSTMSequence-1, which runtimes do not compute.
static Ports lstm(Build& b, const SourceNode& n) {
  recurrent::Kind kind{"LSTMSequence", 4, {"sigmoid", "tanh", "tanh"}};
  kind.coupled = n.native("input_forget", 0) != 0;
  kind.first_version = kind.coupled || b.has(7);
  return recurrent::sequence(b, n, kind);
}
// The runtime rounds inputs and states to 8 bits in each step, by the range they have then. Here they stay
// floats, which is closer to the model before it was quantized.
static Ports quantized_lstm(Build& b, const SourceNode& n) {
  recurrent::Kind kind{"LSTMSequence", 4, {"sigmoid", "tanh", "tanh"}};
  kind.coupled = n.native("input_forget", 0) != 0;
  kind.first_version = kind.coupled || b.has(7);
  kind.quantized = true;
  return recurrent::sequence(b, n, kind);
}
static Ports gru(Build& b, const SourceNode& n) {
  return recurrent::sequence(b, n, {"GRUSequence", 3, {"sigmoid", "tanh"}});
}
static Ports rnn(Build& b, const SourceNode& n) {
  return recurrent::sequence(b, n, {"RNNSequence", 1, {"tanh"}});
}

void register_recurrent(Registry& r) {
  replace<lstm>(r, {"LSTM", "LSTM(x, w, r, b, lengths, h, c, p)",
                    "Transpose(LSTMSequence(Transpose(x), h, c, lengths, w, r, b, p))"});
  replace<quantized_lstm>(
      r,
      {"DynamicQuantizeLSTM", "DynamicQuantizeLSTM(x, w, r, b, lengths, h, c, p, scales …)",
       "Transpose(LSTMSequence(Transpose(x), h, c, lengths, w * scale, r * scale, b, p))", "com.microsoft"});
  replace<gru>(
      r, {"GRU", "GRU(x, w, r, b, lengths, h)", "Transpose(GRUSequence(Transpose(x), h, lengths, w, r, b))"});
  replace<rnn>(
      r, {"RNN", "RNN(x, w, r, b, lengths, h)", "Transpose(RNNSequence(Transpose(x), h, lengths, w, r, b))"});
}

}  // namespace mo::onnx
