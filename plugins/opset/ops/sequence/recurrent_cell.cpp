// LSTMCell, GRUCell and RNNCell: one step. X [batch, input], H [batch, hidden] (LSTM: C, too), W
// [gates*hidden, input], R [gates*hidden, hidden], B [...], and in opset1 the peepholes P [3*hidden] of LSTM.
#include "support/recurrent.hpp"

namespace mo::opset {

namespace stepping {

static void infer(const InferContext& c, CellKind kind) {
  require_float(c, 0);
  const CellForm f = cell_form(c, kind);
  const auto hidden = static_cast<int64_t>(f.hidden);
  const size_t w_at = 1 + f.states();
  const Shape x = c.shape(0);
  require_rank(x, "X", 2);
  Dim batch = x.has_rank() ? x[0] : any_dim;
  ElementType t = c.type(0);
  for (size_t i = 1; i < c.inputs(); ++i)
    if (c.has(i)) {
      common_type(c, {0, i});
      if (t == ElementType::unknown) t = c.type(i);
    }
  // Error unless an input may have these dimensions.
  const auto check = [&](size_t i, std::string_view what, const Shape& expected) {
    if (!c.has(i)) return;
    require_rank(c.shape(i), what, expected.rank());
    if (!merge(c.shape(i), expected)) fail(what, " has shape ", c.shape(i), "; expected ", expected);
  };
  for (size_t i = 1; i <= f.states(); ++i) {
    check(i, "an initial state", {batch, hidden});
    if (c.shape(i).has_rank()) batch = same_dim(batch, c.shape(i)[0], "batch of X and of an initial state");
  }
  const auto rows = [&](size_t gates) {
    return Dim(detail::checked_mul(static_cast<int64_t>(gates), hidden));
  };
  check(w_at, "W", {rows(f.gates()), x.has_rank() ? x[1] : any_dim});
  check(w_at + 1, "R", {rows(f.gates()), hidden});
  check(w_at + 2, "B", {rows(f.bias_gates())});
  check(w_at + 3, "P", {rows(3)});
  for (uint32_t i = 0; i < f.states(); ++i) c.output(i, t, {batch, hidden});
}

static void evaluate(const EvalContext& c, CellKind kind) {
  const CellForm f = cell_form(c, kind);
  const size_t w_at = 1 + f.states(), hidden = f.hidden;
  const Tensor x = c.input(0);
  require(x.rank() == 2, "X has shape ", x.shape(), "; expected rank 2");
  const auto batch = static_cast<size_t>(x.dim(0)), input = static_cast<size_t>(x.dim(1));
  const bool peepholes = c.has(w_at + 3);
  const auto check = [&](size_t i, size_t size) {
    require(c.input(i).size() == size && c.input(i).type() == x.type(), "input ", i, " is ",
            name(c.input(i).type()), c.input(i).shape(), "; expected ", size, " elements of ",
            name(x.type()));
  };
  for (size_t i = 1; i <= f.states(); ++i) check(i, batch * hidden);
  check(w_at, f.gates() * hidden * input);
  check(w_at + 1, f.gates() * hidden * hidden);
  check(w_at + 2, f.bias_gates() * hidden);
  if (peepholes) check(w_at + 3, 3 * hidden);
  const Multiplier multiply(c.context());
  for_float(x.type(), [&](auto e) {
    using E = decltype(e);
    using T = typename E::computed;
    const Numbers<E> xs(x), w(c.input(w_at)), r(c.input(w_at + 1)), b(c.input(w_at + 2)),
        p(c.input(peepholes ? w_at + 3 : w_at));
    const Cell<T> cell(f, multiply, {w.data(), r.data(), b.data(), peepholes ? p.data() : nullptr}, input);
    const std::vector<T> projected = cell.project(xs.data(), batch);
    std::vector<const T*> rows;
    for (size_t i = 0; i < batch; ++i) rows.push_back(projected.data() + i * f.gates() * hidden);
    std::vector<Results<E>> states;
    for (size_t i = 1; i <= f.states(); ++i) {
      const Numbers<E> from(c.input(i));
      states.emplace_back(c, std::vector<int64_t>{x.dim(0), static_cast<int64_t>(hidden)}, x.bytes());
      std::copy_n(from.data(), from.size(), states.back().data());
    }
    cell.step(rows, states[0].data(), states.back().data());
    for (uint32_t i = 0; i < f.states(); ++i) c.output(i, states[i].tensor());
  });
}

static void symbols(const SymbolsContext& c) {
  const auto &x = c.dims(0), &h = c.dims(1);
  if (!x || !h || x->size() != 2 || h->size() != 2) return;
  for (uint32_t i = 0; i < c.outputs(); ++i) c.output(i, Symbols{(*x)[0], (*h)[1]});
}

}  // namespace stepping

struct LstmCell1 {
  static constexpr std::string_view type = "LSTMCell", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("X, H, C, W, R, B, [P]: H, C; gates in the order of weights_format")
        .inputs({"X", "H", "C", "W", "R", "B"}, Role::fixed)
        .optional_input("P", Role::fixed)
        .outputs(2);
    add_cell_attrs(s, {"sigmoid", "tanh", "tanh"});
    add_first_lstm_attrs(s);
  }
  static void infer(InferContext& c) { stepping::infer(c, CellKind::lstm); }
  static void symbols(SymbolsContext& c) { stepping::symbols(c); }
  static void evaluate(EvalContext& c) { stepping::evaluate(c, CellKind::lstm); }
};

struct LstmCell4 : LstmCell1 {
  static constexpr std::string_view opset = "opset4";
  static void schema(OpSchema& s) {
    s.doc("X, H, C, W, R, B: H, C; gates f, i, c, o")
        .inputs({"X", "H", "C", "W", "R", "B"}, Role::fixed)
        .outputs(2);
    add_cell_attrs(s, {"sigmoid", "tanh", "tanh"});
  }
};

struct GruCell {
  static constexpr std::string_view type = "GRUCell", opset = "opset3";
  static void schema(OpSchema& s) {
    s.doc("X, H, W, R, B: H; gates z, r, h").inputs({"X", "H", "W", "R", "B"}, Role::fixed).outputs(1);
    add_cell_attrs(s, {"sigmoid", "tanh"});
    s.attr<bool>("linear_before_reset", false);
  }
  static void infer(InferContext& c) { stepping::infer(c, CellKind::gru); }
  static void symbols(SymbolsContext& c) { stepping::symbols(c); }
  static void evaluate(EvalContext& c) { stepping::evaluate(c, CellKind::gru); }
};

struct RnnCell {
  static constexpr std::string_view type = "RNNCell", opset = "opset3";
  static void schema(OpSchema& s) {
    s.doc("X, H, W, R, B: H").inputs({"X", "H", "W", "R", "B"}, Role::fixed).outputs(1);
    add_cell_attrs(s, {"tanh"});
  }
  static void infer(InferContext& c) { stepping::infer(c, CellKind::rnn); }
  static void symbols(SymbolsContext& c) { stepping::symbols(c); }
  static void evaluate(EvalContext& c) { stepping::evaluate(c, CellKind::rnn); }
};

void register_recurrent_cell(Registry& r) {
  r.operation<LstmCell1>();
  r.operation<LstmCell4>();
  r.operation<GruCell>();
  r.operation<RnnCell>();
}

}  // namespace mo::opset
