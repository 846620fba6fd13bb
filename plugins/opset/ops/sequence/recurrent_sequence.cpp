// LSTMSequence, GRUSequence and RNNSequence: X [batch, time, input], H [batch, directions, hidden] (LSTM: C,
// too), lengths [batch], W [directions, gates*hidden, input], R [directions, gates*hidden, hidden], B
// [directions, …].
#include "support/limits.hpp"
#include "support/recurrent.hpp"

namespace mo::opset {

namespace recurrent {

static void schema(OpSchema& s, const std::vector<std::string>& activations) {
  add_cell_attrs(s, activations);
  s.attr<std::string>("direction").one_of({"forward", "reverse", "bidirectional"});
}

// Error unless dimension i of an input may be `expected`.
static void check(const Shape& s, size_t i, const Dim& expected, std::string_view what) {
  if (s.has_rank() && !s[i].overlaps(expected))
    fail(what, " has shape ", s, "; expected ", expected, " for dimension ", i);
}

static void infer(const InferContext& c, CellKind kind) {
  require_float(c, 0);
  const CellForm f = cell_form(c, kind);
  const auto hidden = static_cast<int64_t>(f.hidden);
  const int64_t directions = c.attr<std::string>("direction") == "bidirectional" ? 2 : 1;
  const size_t lengths_at = 1 + f.states(), w_at = lengths_at + 1;
  const Shape x = c.shape(0), lengths = c.shape(lengths_at);
  require_rank(x, "X", 3);
  Dim batch = x.has_rank() ? x[0] : any_dim, input = x.has_rank() ? x[2] : any_dim;
  ElementType t = c.type(0);
  for (size_t i = 1; i <= f.states(); ++i) {
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
  const int64_t rows = detail::checked_mul(static_cast<int64_t>(f.gates()), hidden);
  check(w, 0, directions, "W");
  check(w, 1, rows, "W");
  check(w, 2, input, "W");
  check(r, 0, directions, "R");
  check(r, 1, rows, "R");
  check(r, 2, hidden, "R");
  check(b, 0, directions, "B");
  check(b, 1, detail::checked_mul(static_cast<int64_t>(f.bias_gates()), hidden), "B");
  if (c.has(w_at + 3)) {
    const Shape p = c.shape(w_at + 3);
    common_type(c, {0, w_at + 3});
    require_rank(p, "P", 2);
    check(p, 0, directions, "P");
    check(p, 1, detail::checked_mul(3, hidden), "P");
  }
  c.output(0, t, {batch, directions, x.has_rank() ? x[1] : any_dim, hidden});
  for (uint32_t i = 1; i <= f.states(); ++i) c.output(i, t, {batch, directions, hidden});
}

// One direction: all steps of all samples; `d` is its place among the directions.
template <class T>
void run(const Cell<T>& cell, const CellForm& f, const T* x, size_t input,
         const std::vector<int64_t>& lengths, size_t times, size_t d, size_t directions, bool back, T* out,
         T* h, T* c) {
  const size_t batch = lengths.size(), n = f.hidden, width = f.gates() * n;
  // All inputs at once are faster, those of one step take less memory.
  const bool at_once = batch * times * width <= size_t{1} << 26;
  std::vector<T> projected, inputs(at_once ? 0 : batch * input);
  if (at_once) projected = cell.project(x, batch * times);
  std::vector<const T*> rows(batch);
  std::vector<size_t> at(batch);
  for (size_t step = 0; step < times; ++step) {
    for (size_t i = 0; i < batch; ++i) {
      const auto length = static_cast<size_t>(lengths[i]);
      at[i] = back ? length - 1 - step : step;  // a sample is read back from its own end
      if (!at_once && step < length)
        std::copy_n(x + (i * times + at[i]) * input, input, inputs.data() + i * input);
    }
    if (!at_once) projected = cell.project(inputs.data(), batch);
    for (size_t i = 0; i < batch; ++i)
      rows[i] = step >= static_cast<size_t>(lengths[i])
                    ? nullptr
                    : projected.data() + (at_once ? i * times + at[i] : i) * width;
    cell.step(rows, h, c);
    for (size_t i = 0; i < batch; ++i)
      if (rows[i] != nullptr) std::copy_n(h + i * n, n, out + ((i * directions + d) * times + at[i]) * n);
  }
}

static void evaluate(const EvalContext& c, CellKind kind) {
  const CellForm f = cell_form(c, kind);
  const auto direction = c.attr<std::string>("direction");
  const size_t directions = direction == "bidirectional" ? 2 : 1, hidden = f.hidden;
  const size_t lengths_at = 1 + f.states(), w_at = lengths_at + 1;
  const Tensor x = c.input(0);
  require(x.rank() == 3, "X has shape ", x.shape(), "; expected rank 3");
  const auto batch = static_cast<size_t>(x.dim(0)), times = static_cast<size_t>(x.dim(1)),
             input = static_cast<size_t>(x.dim(2));
  const bool peepholes = c.has(w_at + 3);
  const auto expect = [&](size_t i, size_t size) {
    require(c.input(i).size() == size && c.input(i).type() == x.type(), "input ", i, " is ",
            name(c.input(i).type()), c.input(i).shape(), "; expected ", size, " elements of ",
            name(x.type()));
  };
  for (size_t i = 1; i <= f.states(); ++i) expect(i, batch * directions * hidden);
  expect(w_at, directions * f.gates() * hidden * input);
  expect(w_at + 1, directions * f.gates() * hidden * hidden);
  expect(w_at + 2, directions * f.bias_gates() * hidden);
  if (peepholes) expect(w_at + 3, directions * 3 * hidden);
  const auto lengths = c.input(lengths_at).to_ints();
  require(lengths.size() == batch, "there are ", lengths.size(), " sequence_lengths for a batch of ", batch);
  for (const int64_t l : lengths)
    require(l >= 0 && l <= x.dim(1), "sequence_lengths has ", l, "; expected 0 to ", x.dim(1));
  const Multiplier multiply(c.context());
  for_float(x.type(), [&](auto e) {
    using E = decltype(e);
    using T = typename E::computed;
    const Numbers<E> xs(x), w(c.input(w_at)), r(c.input(w_at + 1)), b(c.input(w_at + 2)),
        p(c.input(peepholes ? w_at + 3 : w_at));
    const auto width = static_cast<int64_t>(hidden), many = static_cast<int64_t>(directions);
    Results<E> out(c, {x.dim(0), many, x.dim(1), width}, x.bytes());
    std::vector<Results<E>> last;
    for (size_t i = 1; i <= f.states(); ++i)
      last.emplace_back(c, std::vector<int64_t>{x.dim(0), many, width}, x.bytes());
    for (size_t d = 0; d < directions; ++d) {
      const size_t gates = f.gates() * hidden;
      const Cell<T> cell(
          f, multiply,
          {w.data() + d * gates * input, r.data() + d * gates * hidden,
           b.data() + d * f.bias_gates() * hidden, peepholes ? p.data() + d * 3 * hidden : nullptr},
          input);
      // States of one direction, [batch, hidden].
      std::vector<std::vector<T>> states(f.states());
      for (size_t k = 0; k < f.states(); ++k) {
        const Numbers<E> from(c.input(1 + k));
        for (size_t i = 0; i < batch; ++i)
          states[k].insert(states[k].end(), from.data() + (i * directions + d) * hidden,
                           from.data() + (i * directions + d + 1) * hidden);
      }
      run(cell, f, xs.data(), input, lengths, times, d, directions, direction == "reverse" || d == 1,
          out.data(), states[0].data(), states.back().data());
      for (size_t k = 0; k < f.states(); ++k)
        for (size_t i = 0; i < batch; ++i)
          std::copy_n(states[k].data() + i * hidden, hidden, last[k].data() + (i * directions + d) * hidden);
    }
    c.output(0, out.tensor());
    for (uint32_t i = 0; i < f.states(); ++i) c.output(i + 1, last[i].tensor());
  });
}

// All outputs, and the last ones of H and, for an LSTM, of C.
static void symbols(const SymbolsContext& c) {
  const auto &x = c.dims(0), &h = c.dims(1);
  if (!x || !h || x->size() != 3 || h->size() != 3) return;
  c.output(0, Symbols{(*x)[0], (*h)[1], (*x)[1], (*h)[2]});
  for (uint32_t i = 1; i < c.outputs(); ++i) c.output(i, Symbols{(*x)[0], (*h)[1], (*h)[2]});
}

}  // namespace recurrent

struct LstmSequence1 {
  static constexpr std::string_view type = "LSTMSequence", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("X, H, C, sequence_lengths, W, R, B, [P]: all outputs, last H, last C")
        .inputs({"X", "H", "C", "sequence_lengths", "W", "R", "B"}, Role::fixed)
        .optional_input("P", Role::fixed)
        .outputs(3);
    recurrent::schema(s, {"sigmoid", "tanh", "tanh"});
    add_first_lstm_attrs(s);
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(n, {{"peepholes are an input", "2024.6", "ngraph/core/src/op/lstm_sequence.cpp:370",
                      is_connected<7>}});
  }
  static void infer(InferContext& c) { recurrent::infer(c, CellKind::lstm); }
  static void symbols(SymbolsContext& c) { recurrent::symbols(c); }
  static void evaluate(EvalContext& c) { recurrent::evaluate(c, CellKind::lstm); }
};

struct LstmSequence5 : LstmSequence1 {
  static constexpr std::string_view opset = "opset5";
  static void ir_attrs(const Node&, IrAttributes&) {}  // it has no peepholes
  static void schema(OpSchema& s) {
    s.doc("X, H, C, sequence_lengths, W, R, B: all outputs, last H, last C; gates f, i, c, o")
        .inputs({"X", "H", "C", "sequence_lengths", "W", "R", "B"}, Role::fixed)
        .outputs(3);
    recurrent::schema(s, {"sigmoid", "tanh", "tanh"});
  }
};

struct GruSequence {
  static constexpr std::string_view type = "GRUSequence", opset = "opset5";
  static void schema(OpSchema& s) {
    s.doc("X, H, sequence_lengths, W, R, B: all outputs, last H; gates z, r, h")
        .inputs({"X", "H", "sequence_lengths", "W", "R", "B"}, Role::fixed)
        .outputs(2);
    recurrent::schema(s, {"sigmoid", "tanh"});
    s.attr<bool>("linear_before_reset", false);
  }
  static void infer(InferContext& c) { recurrent::infer(c, CellKind::gru); }
  static void symbols(SymbolsContext& c) { recurrent::symbols(c); }
  static void evaluate(EvalContext& c) { recurrent::evaluate(c, CellKind::gru); }
};

struct RnnSequence {
  static constexpr std::string_view type = "RNNSequence", opset = "opset5";
  static void schema(OpSchema& s) {
    s.doc("X, H, sequence_lengths, W, R, B: all outputs, last H")
        .inputs({"X", "H", "sequence_lengths", "W", "R", "B"}, Role::fixed)
        .outputs(2);
    recurrent::schema(s, {"tanh"});
  }
  static void infer(InferContext& c) { recurrent::infer(c, CellKind::rnn); }
  static void symbols(SymbolsContext& c) { recurrent::symbols(c); }
  static void evaluate(EvalContext& c) { recurrent::evaluate(c, CellKind::rnn); }
};

void register_recurrent_sequence(Registry& r) {
  r.operation<LstmSequence1>();
  r.operation<LstmSequence5>();
  r.operation<GruSequence>();
  r.operation<RnnSequence>();
}

}  // namespace mo::opset
