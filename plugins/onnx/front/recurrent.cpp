// LSTM, GRU and RNN become sequence operations: those have the batch first, other orders of the gates and one
// bias, and need all states.
#include "support/lstm_steps.hpp"

#include <cctype>

namespace mo::onnx {

namespace recurrent {

struct Kind {
  std::string_view type;
  int64_t gates = 1;
  std::vector<std::string> activations;
};

// What the attributes say, and X with the batch first.
struct Form {
  bool batch_first = false;
  std::string direction;
  int64_t directions = 1, hidden = 0;
  OutPort x, batch, time;  // batch and time: lists of one element
};

static int64_t hidden_size(const Build& b, const SourceNode& n) {
  const auto stated = n.find_native<int64_t>("hidden_size");
  const Shape r = b.in(2).shape();
  const bool known = r.rank() == 3 && r[2].is_static();
  require(stated || known, "attribute 'hidden_size' is missing and the shape of R is not known");
  const int64_t hidden = stated ? *stated : r[2].value();
  require(hidden > 0, "attribute 'hidden_size' is ", hidden, ", expected at least 1");
  return hidden;
}

static OutPort transpose(const Build& b, const OutPort& x, const Ints& order) {
  return b.op("Transpose", "opset1", {x, b.list(order)});
}

static Form read(const Build& b, const SourceNode& n) {
  Form f;
  const auto layout = n.native("layout", 0);
  require(layout == 0 || layout == 1, "attribute 'layout' is ", layout, ", expected 0 or 1");
  f.batch_first = layout == 1;
  f.direction = n.native("direction", "forward");
  require(f.direction == "forward" || f.direction == "reverse" || f.direction == "bidirectional",
          "attribute 'direction' is '", f.direction, "', expected forward, reverse or bidirectional");
  f.directions = f.direction == "bidirectional" ? 2 : 1;
  f.hidden = hidden_size(b, n);
  f.x = f.batch_first ? b.in(0) : transpose(b, b.in(0), {1, 0, 2});
  f.batch = b.dim(b.in(0), f.batch_first ? 0 : 1);
  f.time = b.dim(b.in(0), f.batch_first ? 1 : 0);
  return f;
}

// The activations of one direction; the operations use the same for both.
static std::vector<std::string> activations(const SourceNode& n, const Kind& kind, int64_t directions) {
  auto names = n.find_native<std::vector<std::string>>("activations").value_or(kind.activations);
  const size_t count = kind.activations.size();
  const auto all = static_cast<size_t>(directions) * count;
  require(names.size() == all || names.size() == count, "attribute 'activations' has ", names.size(),
          " entries, expected ", all);
  for (std::string& name : names) {
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    require(name == "sigmoid" || name == "tanh" || name == "relu", "attribute 'activations' has '", name,
            "', which the IR does not have; it has Sigmoid, Tanh and Relu");
  }
  for (size_t i = count; i < names.size(); ++i)
    require(names[i] == names[i - count], "attribute 'activations' differs between the directions, which ",
            "the IR does not have");
  names.resize(count);
  return names;
}

// The blocks of dimension 1 in another order.
static OutPort reorder(const Build& b, const OutPort& x, const Ints& order) {
  const auto count = static_cast<uint32_t>(order.size());
  const Node parts = b.node("Split", "opset1", {x, b.integer(1)}, count);
  parts.set("num_splits", static_cast<int64_t>(count));
  Ports list;
  for (const int64_t i : order) list.push_back(parts.out_port(static_cast<size_t>(i)));
  return b.concat(list, 1);
}

// ONNX has gates i, o, f, c for an LSTM, the operation f, i, c, o; z, r, h of a GRU are the same.
static OutPort gates(const Build& b, const Kind& kind, const OutPort& x) {
  return kind.gates == 4 ? reorder(b, x, {2, 0, 3, 1}) : x;
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
    const OutPort both = b.op("Add", "opset1", {parts.out_port(0), parts.out_port(2)});
    return b.concat({both, parts.out_port(1), parts.out_port(3)}, 1);
  }
  const Node halves = b.node("Split", "opset1", {b.in(3), b.integer(1)}, 2);
  halves.set("num_splits", 2);
  return gates(b, kind, b.op("Add", "opset1", {halves.out_port(0), halves.out_port(1)}));
}

// An initial state [batch, directions, hidden]; without one it is zero.
static OutPort state(const Build& b, const Form& f, size_t input) {
  if (b.has(input)) return f.batch_first ? b.in(input) : transpose(b, b.in(input), {1, 0, 2});
  const Node zeros = b.node("Broadcast", "opset3",
                            {b.like(b.in(0), 0), b.concat({f.batch, b.list({f.directions, f.hidden})})});
  zeros.set("mode", "numpy");
  return zeros.out_port();
}

static OutPort lengths(const Build& b, const Form& f) {
  if (b.has(4)) return b.in(4);
  const Node all = b.node("Broadcast", "opset3", {f.time, f.batch});
  all.set("mode", "numpy");
  return all.out_port();
}

static Ports sequence(Build& b, const SourceNode& n, const Kind& kind) {
  const Form f = read(b, n);
  const bool lstm = kind.gates == 4, reset_after = kind.gates == 3 && n.native("linear_before_reset", 0) != 0;
  Ports inputs{f.x, state(b, f, 5)};
  if (lstm) inputs.push_back(state(b, f, 6));
  inputs.insert(inputs.end(), {lengths(b, f), gates(b, kind, b.in(1)), gates(b, kind, b.in(2)),
                               bias(b, kind, f, reset_after)});
  const Node s = b.node(kind.type, "opset5", inputs, lstm ? 3 : 2);
  s.set("direction", f.direction).set("hidden_size", f.hidden);
  s.set("activations", activations(n, kind, f.directions));
  if (const double clip = n.native("clip", 0.0); clip != 0) s.set("clip", clip);
  if (kind.gates == 3) s.set("linear_before_reset", reset_after);

  // [batch, directions, time, hidden] and [batch, directions, hidden].
  Ports outputs(n.out_count());
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!b.wants(i)) continue;
    const OutPort out = s.out_port(i);
    if (i == 0)
      outputs[i] = transpose(b, out, f.batch_first ? Ints{0, 2, 1, 3} : Ints{2, 1, 0, 3});
    else
      outputs[i] = f.batch_first ? out : transpose(b, out, {1, 0, 2});
  }
  return outputs;
}

// A state [directions, batch, hidden]; without one it is zero.
static OutPort state_of_steps(const Build& b, const Form& f, size_t input) {
  if (b.has(input)) return f.batch_first ? transpose(b, b.in(input), {1, 0, 2}) : b.in(input);
  return b.op("Broadcast", "opset3",
              {b.like(b.in(0), 0), b.concat({b.list({f.directions}), f.batch, b.list({f.hidden})})});
}

static Ports steps(const Build& b, const SourceNode& n, const Kind& kind) {
  const Form f = read(b, n);
  LstmSteps s;
  s.x = f.batch_first ? transpose(b, b.in(0), {1, 0, 2}) : b.in(0);
  s.w = b.in(1);
  s.r = b.in(2);
  s.bias = b.has(3) ? b.in(3) : OutPort();
  s.lengths = b.has(4) ? b.in(4) : OutPort();
  s.h = state_of_steps(b, f, 5);
  s.c = state_of_steps(b, f, 6);
  s.peepholes = b.has(7) ? b.in(7) : OutPort();
  s.time = f.time;
  s.direction = f.direction;
  s.activations = activations(n, kind, f.directions);
  s.clip = n.native("clip", 0.0);
  s.coupled = n.native("input_forget", 0) != 0;
  Ports outputs = lstm_steps(b, n, s);
  outputs.resize(n.out_count());
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!b.wants(i)) outputs[i] = OutPort();
    if (outputs[i] && f.batch_first)
      outputs[i] = transpose(b, outputs[i], i == 0 ? Ints{2, 0, 1, 3} : Ints{1, 0, 2});
  }
  return outputs;
}

}  // namespace recurrent

// Only the first version of LSTMSequence has peepholes and coupled gates, and runtimes do not compute it.
static Ports lstm(Build& b, const SourceNode& n) {
  if (b.has(7) || n.native("input_forget", 0) != 0)
    return recurrent::steps(b, n, {"LSTMSequence", 4, {"sigmoid", "tanh", "tanh"}});
  return recurrent::sequence(b, n, {"LSTMSequence", 4, {"sigmoid", "tanh", "tanh"}});
}
static Ports gru(Build& b, const SourceNode& n) {
  return recurrent::sequence(b, n, {"GRUSequence", 3, {"sigmoid", "tanh"}});
}
static Ports rnn(Build& b, const SourceNode& n) {
  return recurrent::sequence(b, n, {"RNNSequence", 1, {"tanh"}});
}

void register_recurrent(Registry& r) {
  replace<lstm>(
      r, {"LSTM", "LSTM(x, w, r, b, lengths, h, c, p)",
          "Transpose(LSTMSequence(Transpose(x), h, c, lengths, w, r, b)); with peepholes TensorIterator"});
  replace<gru>(
      r, {"GRU", "GRU(x, w, r, b, lengths, h)", "Transpose(GRUSequence(Transpose(x), h, lengths, w, r, b))"});
  replace<rnn>(
      r, {"RNN", "RNN(x, w, r, b, lengths, h)", "Transpose(RNNSequence(Transpose(x), h, lengths, w, r, b))"});
}

}  // namespace mo::onnx
