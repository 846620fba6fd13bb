// LSTMSequence, GRUSequence and RNNSequence: X [batch, time, input], H [batch, directions, hidden] (LSTM: C,
// too), lengths [batch], W [directions, gates*hidden, input], R [directions, gates*hidden, hidden], B
// [directions, …].
#include "support/inference.hpp"

namespace mo::opset {

namespace recurrent {

static void schema(OpSchema& s, const std::vector<std::string>& activations) {
  s.attr<int64_t>("hidden_size");
  s.attr<std::string>("direction").one_of({"forward", "reverse", "bidirectional"});
  s.attr("activations", activations);
  s.optional_attr<std::vector<double>>("activations_alpha")
      .optional_attr<std::vector<double>>("activations_beta");
  s.attr<double>("clip", 0.0);
}

struct Form {
  size_t states;       // H, or H and C
  int64_t gates;       // blocks of W and R
  int64_t bias_gates;  // blocks of B
};

static void check_activations(const OpContext& c, size_t n) {
  const auto list = c.attr<std::vector<std::string>>("activations");
  require(list.size() == n, "attribute 'activations' is ", list, "; expected ", n, " names");
  for (const auto& a : list)
    require(a == "sigmoid" || a == "tanh" || a == "relu", "attribute 'activations' is ", list,
            "; expected sigmoid, tanh or relu");
  const auto clip = c.attr<double>("clip");
  require(clip >= 0, "attribute 'clip' is ", clip, "; expected 0 or more");
}

// Error unless dimension i of an input may be `expected`.
static void check(const Shape& s, size_t i, const Dim& expected, std::string_view what) {
  if (s.has_rank() && !s[i].overlaps(expected))
    fail(what, " has shape ", s, "; expected ", expected, " for dimension ", i);
}

static void infer(const InferContext& c, const Form& f) {
  require_float(c, 0);
  const int64_t hidden = int_attr(c, "hidden_size", 1);
  const int64_t directions = c.attr<std::string>("direction") == "bidirectional" ? 2 : 1;
  const size_t lengths_at = 1 + f.states, w_at = lengths_at + 1;
  const Shape x = c.shape(0), lengths = c.shape(lengths_at);
  require_rank(x, "X", 3);
  Dim batch = x.has_rank() ? x[0] : any_dim, input = x.has_rank() ? x[2] : any_dim;
  ElementType t = c.type(0);
  for (size_t i = 1; i <= f.states; ++i) {
    const Shape s = c.shape(i);
    require_rank(s, "an initial state", 3);
    if (t == ElementType::unknown) t = common_type(c, {0, i});
    common_type(c, {0, i});
    if (!s.has_rank()) continue;
    batch = same_dim(batch, s[0], "batch of X and of an initial state");
    check(s, 1, directions, "an initial state");
    check(s, 2, hidden, "an initial state");
  }
  require_integer(c, lengths_at);
  require_rank(lengths, "sequence_lengths", 1);
  if (lengths.has_rank()) batch = same_dim(batch, lengths[0], "batch of X and of sequence_lengths");
  const Shape w = c.shape(w_at), r = c.shape(w_at + 1), b = c.shape(w_at + 2);
  common_type(c, {0, w_at, w_at + 1, w_at + 2});
  require_rank(w, "W", 3);
  require_rank(r, "R", 3);
  require_rank(b, "B", 2);
  const int64_t rows = detail::checked_mul(f.gates, hidden);
  check(w, 0, directions, "W");
  check(w, 1, rows, "W");
  check(w, 2, input, "W");
  check(r, 0, directions, "R");
  check(r, 1, rows, "R");
  check(r, 2, hidden, "R");
  check(b, 0, directions, "B");
  check(b, 1, detail::checked_mul(f.bias_gates, hidden), "B");
  c.output(0, t, {batch, directions, x.has_rank() ? x[1] : any_dim, hidden});
  for (uint32_t i = 1; i <= f.states; ++i) c.output(i, t, {batch, directions, hidden});
}

}  // namespace recurrent

struct LstmSequence {
  static constexpr std::string_view type = "LSTMSequence", opset = "opset5";
  static void schema(OpSchema& s) {
    s.doc("X, H, C, sequence_lengths, W, R, B: all outputs, last H, last C; gates f, i, c, o")
        .inputs(7)
        .outputs(3);
    recurrent::schema(s, {"sigmoid", "tanh", "tanh"});
  }
  static void infer(InferContext& c) {
    recurrent::check_activations(c, 3);
    recurrent::infer(c, {2, 4, 4});
  }
};

struct GruSequence {
  static constexpr std::string_view type = "GRUSequence", opset = "opset5";
  static void schema(OpSchema& s) {
    s.doc("X, H, sequence_lengths, W, R, B: all outputs, last H; gates z, r, h").inputs(6).outputs(2);
    recurrent::schema(s, {"sigmoid", "tanh"});
    s.attr<bool>("linear_before_reset", false);
  }
  static void infer(InferContext& c) {
    recurrent::check_activations(c, 2);
    recurrent::infer(c, {1, 3, c.attr<bool>("linear_before_reset") ? 4 : 3});
  }
};

struct RnnSequence {
  static constexpr std::string_view type = "RNNSequence", opset = "opset5";
  static void schema(OpSchema& s) {
    s.doc("X, H, sequence_lengths, W, R, B: all outputs, last H").inputs(6).outputs(2);
    recurrent::schema(s, {"tanh"});
  }
  static void infer(InferContext& c) {
    recurrent::check_activations(c, 1);
    recurrent::infer(c, {1, 1, 1});
  }
};

void register_recurrent_sequence(Registry& r) {
  r.operation<LstmSequence>();
  r.operation<GruSequence>();
  r.operation<RnnSequence>();
}

}  // namespace mo::opset
