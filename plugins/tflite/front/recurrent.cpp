// LSTM, RNN and SVDF, one step or a sequence. States that last are outputs behind the operator's own, which
// the loader assigns.
#include "support/recurrent.hpp"

namespace mo::tflite {

namespace recurrent {

static OutPort optional(const Build& b, size_t i) { return b.has(i) ? b.in(i) : OutPort(); }

static Ports optional(const Build& b, size_t first, size_t count) {
  Ports list;
  for (size_t i = 0; i < count; ++i) list.push_back(optional(b, first + i));
  return list;
}

// Weights from input `first` on, as all the operators have them.
static LstmWeights weights(const Build& b, const SourceNode& n, size_t first) {
  LstmWeights w;
  w.input = optional(b, first, 4);
  w.recurrent = optional(b, first + 4, 4);
  w.peepholes = optional(b, first + 8, 3);
  w.bias = optional(b, first + 11, 4);
  w.projection = optional(b, first + 15);
  w.projection_bias = optional(b, first + 16);
  w.norms.resize(4);
  for (size_t g = 1; g < 4; ++g)
    require(w.input[g] && w.recurrent[g],
            "weights of a gate are left out; only those of the input gate may be");
  require(static_cast<bool>(w.input[0]) == static_cast<bool>(w.recurrent[0]),
          "weights of the input gate are left out in one place and not in the other");
  w.cell_clip = n.native("cell_clip", 0.0);
  w.projection_clip = n.native("proj_clip", 0.0);
  const auto activation = n.native("fused_activation_function", "TANH");
  require(activation == "TANH", "attribute 'fused_activation_function' is ", activation, ", expected TANH");
  return w;
}

static OutPort batch_first(const Build& b, const OutPort& x, bool time_major) {
  return time_major ? b.transpose(x, {1, 0, 2}) : x;
}

// As many as the node has outputs: states are there when they are variables.
static Ports limited(Ports all, const SourceNode& n) {
  all.resize(n.out_count());
  return all;
}

// The kernel of 8-bit activations and 16-bit cells has five intermediate tensors: the sums in front of
// normalizations, and the output in front of the projection. Input `norms` is the first of four, behind the
// states.
static std::optional<LstmLevels> levels(const SourceNode& n, size_t norms) {
  const Levels hidden = intermediate_levels(n, 4), output = input_levels(n, norms - 2);
  if (!hidden || !output || n.find_native<std::vector<double>>("intermediate_levels")->size() != 10)
    return std::nullopt;
  LstmLevels l{{}, {}, hidden, output, input_levels(n, norms - 1)};
  for (size_t g = 0; g < 4; ++g) {
    l.sums[g] = intermediate_levels(n, g);
    l.norms[g] = input_levels(n, norms + g).scale;
  }
  return l;
}

// The shape of a state is that of a variable, or what the operation before gives.
static void typed(const OutPort& p) {
  if (p && p.type() == ElementType::unknown) p.set_shape(ElementType::f32, Shape::unknown());
}

}  // namespace recurrent

static Ports sequence_lstm(Build& b, const SourceNode& n) {
  using namespace recurrent;
  LstmWeights w = weights(b, n, 1);
  require(!n.native("diagonal_recurrent_tensors", false),
          "attribute 'diagonal_recurrent_tensors' is true; recurrent ",
          "weights that are diagonals are not supported");
  if (n.in_count() > 20) w.norms = optional(b, 20, 4);
  w.levels = levels(n, 20);
  const bool time_major = n.native("time_major", false);
  Ports y = lstm_sequence(b, w, batch_first(b, b.in(0), time_major), b.in(18), b.in(19), false);
  y[0] = batch_first(b, y[0], time_major);
  for (const OutPort& p : y) typed(p);
  return limited(y, n);
}

static Ports both_ways_lstm(Build& b, const SourceNode& n) {
  using namespace recurrent;
  require(!b.has(39), "input 39, the auxiliary input, is not supported");
  const bool time_major = n.native("time_major", true);
  const OutPort x = batch_first(b, b.in(0), time_major);
  const Ports forward = lstm_sequence(b, weights(b, n, 1), x, b.in(35), b.in(36), false);
  const Ports back = lstm_sequence(b, weights(b, n, 18), x, b.in(37), b.in(38), true);
  Ports outputs;
  if (n.native("merge_outputs", false)) {
    outputs = {batch_first(b, b.concat({forward[0], back[0]}, 2), time_major)};
  } else {
    outputs = {batch_first(b, forward[0], time_major), batch_first(b, back[0], time_major)};
  }
  outputs.insert(outputs.end(), {forward[1], forward[2], back[1], back[2]});
  for (const OutPort& p : outputs) typed(p);
  return limited(outputs, n);
}

// The basic kernel has one matrix for x and the output before, for gates i, c, f, o, and gives its states.
static Ports basic_lstm(const Build& b, const SourceNode& n) {
  const OutPort x = b.concat({b.in(0), b.in(1)}, 1);
  const OutPort gates = op1(b, "Add", {b.matmul(x, b.in(2), false, true), b.in(3)});
  const Node parts = b.node("Split", "opset1", {gates, b.integer(1)}, 4);
  parts.set("num_splits", 4);
  const auto sigmoid = [&](uint32_t i) { return op1(b, "Sigmoid", {parts.out_port(i)}); };
  const OutPort fresh = op1(b, "Tanh", {parts.out_port(1)});
  const OutPort cell =
      op1(b, "Add", {op1(b, "Multiply", {sigmoid(0), fresh}), op1(b, "Multiply", {sigmoid(2), b.in(4)})});
  const OutPort y = op1(b, "Multiply", {op1(b, "Tanh", {cell}), sigmoid(3)});
  Ports outputs{y, cell, x, gates};
  if (n.out_count() > 4) outputs.insert(outputs.end(), {y, cell});
  for (const OutPort& p : outputs) recurrent::typed(p);
  return recurrent::limited(outputs, n);
}

static Ports lstm(Build& b, const SourceNode& n) {
  using namespace recurrent;
  if (n.native("kernel_type", "FULL") == "BASIC") return basic_lstm(b, n);
  LstmWeights w = weights(b, n, 1);
  if (n.in_count() > 20) w.norms = optional(b, 20, 4);
  w.levels = levels(n, 20);
  const Ports y = lstm_step(b, w, b.in(0), b.in(18), b.in(19));
  for (const OutPort& p : y) typed(p);
  return limited({y[0], y[0], y[1]}, n);
}

static Ports rnn(Build& b, const SourceNode& n) {
  const OutPort y =
      op1(b, "Add", {b.matmul(b.in(0), b.in(1), false, true), b.matmul(b.in(4), b.in(2), false, true)});
  const OutPort out = activated(b, n, op1(b, "Add", {y, b.in(3)}));
  recurrent::typed(out);
  return recurrent::limited({out, out}, n);
}

static Ports sequence_rnn(Build& b, const SourceNode& n) {
  using namespace recurrent;
  const bool time_major = n.native("time_major", false);
  Ports y =
      rnn_sequence(b, n, batch_first(b, b.in(0), time_major), {b.in(1), b.in(2), b.in(3)}, b.in(4), false);
  y[0] = batch_first(b, y[0], time_major);
  for (const OutPort& p : y) typed(p);
  return limited(y, n);
}

static Ports both_ways_rnn(Build& b, const SourceNode& n) {
  using namespace recurrent;
  require(!b.has(9), "input 9, the auxiliary input, is not supported");
  const bool time_major = n.native("time_major", false);
  const OutPort x = batch_first(b, b.in(0), time_major);
  const Ports forward = rnn_sequence(b, n, x, {b.in(1), b.in(2), b.in(3)}, b.in(4), false);
  const Ports back = rnn_sequence(b, n, x, {b.in(5), b.in(6), b.in(7)}, b.in(8), true);
  Ports outputs;
  if (n.native("merge_outputs", false))
    outputs = {batch_first(b, b.concat({forward[0], back[0]}, 2), time_major)};
  else
    outputs = {batch_first(b, forward[0], time_major), batch_first(b, back[0], time_major)};
  outputs.insert(outputs.end(), {forward[1], back[1]});
  for (const OutPort& p : outputs) typed(p);
  return limited(outputs, n);
}

// A filter of two factors: features of x now, and weights for what they were in the steps before. The state
// is [batch, filters * steps], the newest last.
static Ports svdf(Build& b, const SourceNode& n) {
  const int64_t filters = stated_dim(n, 2, 0), steps = stated_dim(n, 2, 1), rank = n.native<int64_t>("rank");
  require(filters > 0 && steps > 0 && rank > 0 && filters % rank == 0, "it has ", filters, " filters of ",
          steps, " steps and rank ", rank);
  const int64_t held = stated_dim(n, 4, 1);
  require(held == filters * steps, "its state has ", held, " elements, expected ", filters, " * ", steps);
  // The state of quantized kernels has 16 bits.
  const OutPort features = rounded(b, b.matmul(b.in(0), b.in(1), false, true), input_levels(n, 4), 16);
  const OutPort now = b.reshape(features, b.list({-1, filters, 1}));
  const OutPort before = b.reshape(b.in(4), b.list({-1, filters, steps}));
  const Node slice =
      b.node("StridedSlice", "opset1", {before, b.list({0, 0, 1}), b.list({0, 0, 0}), b.list({1, 1, 1})});
  slice.set("begin_mask", Ints{1, 1, 0}).set("end_mask", Ints{1, 1, 1}).set("new_axis_mask", Ints{0, 0, 0});
  slice.set("shrink_axis_mask", Ints{0, 0, 0}).set("ellipsis_mask", Ints{0, 0, 0});
  const OutPort memory = b.concat({slice.out_port(), now}, 2);
  const OutPort weighted = b.reduce("ReduceSum", op1(b, "Multiply", {memory, b.in(2)}), b.list({2}), false);
  const OutPort units =
      b.reduce("ReduceSum", b.reshape(weighted, b.list({-1, filters / rank, rank})), b.list({2}), false);
  const OutPort y = finished(b, n, units, 3), state = b.reshape(memory, b.list({-1, filters * steps}));
  recurrent::typed(y);
  recurrent::typed(state);
  return recurrent::limited({y, state}, n);
}

void register_recurrent(Registry& r) {
  replace<sequence_lstm>(r, {"UNIDIRECTIONAL_SEQUENCE_LSTM", "UNIDIRECTIONAL_SEQUENCE_LSTM(x, weights, h, c)",
                             "LSTMSequence(x, h, c), or a TensorIterator"});
  replace<both_ways_lstm>(r, {"BIDIRECTIONAL_SEQUENCE_LSTM", "BIDIRECTIONAL_SEQUENCE_LSTM(x, weights, h, c)",
                              "LSTMSequence(x, h, c) forward and reverse"});
  replace<lstm>(r, {"LSTM", "LSTM(x, weights, h, c)", "the gates as operations"});
  replace<rnn>(r, {"RNN", "RNN(x, w, r, bias, h)", "activation(Add(MatMul(x, w), MatMul(h, r)))"});
  replace<sequence_rnn>(r, {"UNIDIRECTIONAL_SEQUENCE_RNN", "UNIDIRECTIONAL_SEQUENCE_RNN(x, w, r, bias, h)",
                            "TensorIterator(x, h)"});
  replace<both_ways_rnn>(r, {"BIDIRECTIONAL_SEQUENCE_RNN", "BIDIRECTIONAL_SEQUENCE_RNN(x, weights, h)",
                             "TensorIterator(x, h) forward and reverse"});
  replace<svdf>(r, {"SVDF", "SVDF(x, feature, time, bias, state)",
                    "activation(ReduceSum(Multiply(Concat(state, MatMul(x, feature)), time)))"});
}

}  // namespace mo::tflite
