#include "support/recurrent.hpp"

#include <mo/iterate.hpp>

namespace mo::tflite {

namespace {

bool all_empty(const Ports& list) {
  return std::none_of(list.begin(), list.end(), [](const OutPort& p) { return static_cast<bool>(p); });
}

// (x - mean) / deviation * scale over the cells.
OutPort normalized(const Build& b, const OutPort& x, const OutPort& scale) {
  const Node n = b.node("MVN", "opset6", {x, b.list({-1})});
  n.set("normalize_variance", true).set("eps", 1e-8).set("eps_mode", "inside_sqrt");
  return op1(b, "Multiply", {n.out_port(), scale});
}

OutPort sum(const Build& b, const OutPort& x, const OutPort& y) { return y ? op1(b, "Add", {x, y}) : x; }

// The same as the quantized kernel does it: of whole steps of `levels`, with a variance that is cut to a
// whole number, and another one instead of 0. That is far from the exact result where the cells hardly
// differ.
OutPort normalized_in_steps(const Build& b, const OutPort& x, const OutPort& scale, const Levels& levels,
                            double step_of_scale) {
  const OutPort last = b.list({-1});
  const OutPort steps = op1(b, "Divide", {x, b.number(levels.scale)});
  const OutPort centred = op1(b, "Subtract", {steps, b.reduce("ReduceMean", steps, last, true)});
  const OutPort variance =
      op1(b, "Floor", {b.reduce("ReduceMean", op1(b, "Multiply", {centred, centred}), last, true)});
  const OutPort none = op1(b, "Less", {variance, b.number(1)});
  const OutPort guarded =
      b.select(none, b.number(std::max(1.0, std::trunc(10000 * step_of_scale))), variance);
  return op1(b, "Multiply", {op1(b, "Divide", {centred, op1(b, "Sqrt", {guarded})}), scale});
}

// A gate before its activation; `peephole` looks at a state of the cell.
OutPort gate(const Build& b, const LstmWeights& w, size_t g, const OutPort& x, const OutPort& h,
             const OutPort& peephole, const OutPort& state) {
  const Levels levels = w.levels && w.norms[g] ? w.levels->sums[g] : Levels{};
  // Each summand is rounded, and each sum kept within 16 bits.
  OutPort y = rounded(b, b.matmul(x, w.input[g], false, true), levels, 16);
  y = rounded(b, op1(b, "Add", {y, b.matmul(h, w.recurrent[g], false, true)}), levels, 16);
  if (peephole) y = rounded(b, op1(b, "Add", {y, op1(b, "Multiply", {state, peephole})}), levels, 16);
  if (levels)
    y = normalized_in_steps(b, y, w.norms[g], levels, w.levels->norms[g]);
  else if (w.norms[g])
    y = normalized(b, y, w.norms[g]);
  return sum(b, y, w.bias[g]);
}

OutPort clipped(const Build& b, const OutPort& x, double limit) {
  return limit > 0 ? b.clamp(x, -limit, limit) : x;
}

// What the integers y / from.scale - from.zero stand for where they are taken for the others.
OutPort read_as(const Build& b, const OutPort& y, const Levels& from, const Levels& to) {
  const double factor = to.scale / from.scale, offset = -(from.zero + to.zero) * to.scale;
  const OutPort scaled = factor == 1 ? y : op1(b, "Multiply", {y, b.number(factor)});
  return offset == 0 ? scaled : op1(b, "Add", {scaled, b.number(offset)});
}

// The parts of LstmWeights as one list, and back.
Ports listed(const LstmWeights& w) {
  Ports all;
  for (const Ports* p : {&w.input, &w.recurrent, &w.peepholes, &w.bias, &w.norms})
    all.insert(all.end(), p->begin(), p->end());
  all.insert(all.end(), {w.projection, w.projection_bias});
  return all;
}
void take_listed(LstmWeights& w, const Ports& all) {
  size_t at = 0;
  for (Ports* p : {&w.input, &w.recurrent, &w.peepholes, &w.bias, &w.norms})
    for (OutPort& port : *p) port = all[at++];
  w.projection = all[at];
  w.projection_bias = all[at + 1];
}

// What is there of a list, and where each is among what is there.
Ports present(const Ports& list) {
  Ports some;
  std::copy_if(list.begin(), list.end(), std::back_inserter(some),
               [](const OutPort& p) { return static_cast<bool>(p); });
  return some;
}
Ports with_gaps(const Ports& pattern, const Ports& some) {
  Ports all;
  size_t at = 0;
  for (const OutPort& p : pattern) all.push_back(p ? some[at++] : OutPort());
  return all;
}

// [cells, n] of each gate as [1, 4 * cells, n], in the operation's order f, i, c, o.
OutPort stacked(const Build& b, const Ports& gates) {
  return b.unsqueeze(b.concat({gates[1], gates[0], gates[2], gates[3]}), b.list({0}));
}

Ports plain_sequence(const Build& b, const LstmWeights& w, const OutPort& x, const OutPort& h,
                     const OutPort& c, bool reverse) {
  const OutPort batch = b.dim(x, 0), time = b.dim(x, 1), one = b.list({1});
  const Node n = b.node("LSTMSequence", "opset5",
                        {x, b.unsqueeze(h, one), b.unsqueeze(c, one), b.broadcast(time, batch),
                         stacked(b, w.input), stacked(b, w.recurrent), stacked(b, w.bias)},
                        3);
  const Shape cells = w.recurrent[1].shape();
  require(cells.rank() == 2 && cells[0].is_static(), "the weights of the gates have no fixed shape");
  n.set("hidden_size", cells[0].value()).set("direction", reverse ? "reverse" : "forward");
  n.set("activations", std::vector<std::string>{"sigmoid", "tanh", "tanh"});
  return {b.squeeze(n.out_port(0), {1}), b.squeeze(n.out_port(1), {1}), b.squeeze(n.out_port(2), {1})};
}

}  // namespace

bool LstmWeights::is_plain() const {
  const auto whole = [](const Ports& list) {
    return std::all_of(list.begin(), list.end(), [](const OutPort& p) { return static_cast<bool>(p); });
  };
  return whole(input) && whole(recurrent) && whole(bias) && all_empty(peepholes) && all_empty(norms) &&
         !projection && cell_clip == 0 && !levels;
}

Ports lstm_step(const Build& b, const LstmWeights& w, const OutPort& x, const OutPort& h, const OutPort& c) {
  const auto sigmoid = [&](const OutPort& y) { return op1(b, "Sigmoid", {y}); };
  const OutPort forget = sigmoid(gate(b, w, 1, x, h, w.peepholes[1], c));
  // Without an input gate it is what the forget gate leaves.
  const OutPort input = w.input[0] ? sigmoid(gate(b, w, 0, x, h, w.peepholes[0], c))
                                   : op1(b, "Subtract", {b.number(1), forget});
  const OutPort fresh = op1(b, "Tanh", {gate(b, w, 2, x, h, {}, {})});
  const LstmLevels levels = w.levels.value_or(LstmLevels{});
  const OutPort kept = op1(b, "Add", {op1(b, "Multiply", {forget, c}), op1(b, "Multiply", {input, fresh})});
  const OutPort cell = clipped(b, rounded(b, kept, levels.cell, 16), w.cell_clip);
  const OutPort output = sigmoid(gate(b, w, 3, x, h, w.peepholes[2], cell));
  // The kernel subtracts the zero point where quantization adds it. A projection takes that into account.
  OutPort y = rounded(b, op1(b, "Multiply", {output, op1(b, "Tanh", {cell})}),
                      {levels.hidden.scale, -levels.hidden.zero}, 8);
  if (!w.projection && w.levels) y = read_as(b, y, levels.hidden, levels.output);
  if (w.projection) {
    y = sum(b, b.matmul(y, w.projection, false, true), w.projection_bias);
    y = clipped(b, rounded(b, y, levels.output, 8), w.projection_clip);
  }
  return {y, cell};
}

Ports lstm_sequence(const Build& b, const LstmWeights& w, const OutPort& x, const OutPort& h,
                    const OutPort& c, bool reverse) {
  if (w.is_plain()) return plain_sequence(b, w, x, h, c, reverse);
  const Ports all = listed(w);
  return iterate(b, x, {h, c}, present(all), reverse,
                 [&](const Build& in, const OutPort& step, const Ports& states, const Ports& shared) {
                   LstmWeights inner = w;
                   take_listed(inner, with_gaps(all, shared));
                   const Ports y = lstm_step(in, inner, step, states[0], states[1]);
                   return Ports{y[0], y[0], y[1]};
                 });
}

Ports rnn_sequence(const Build& b, const SourceNode& n, const OutPort& x, const Ports& w_r_bias,
                   const OutPort& h, bool reverse) {
  return iterate(b, x, {h}, w_r_bias, reverse,
                 [&](const Build& in, const OutPort& step, const Ports& states, const Ports& shared) {
                   const OutPort y = op1(in, "Add",
                                         {in.matmul(step, shared[0], false, true),
                                          in.matmul(states[0], shared[1], false, true)});
                   const OutPort out = activated(in, n, op1(in, "Add", {y, shared[2]}));
                   return Ports{out, out};
                 });
}

}  // namespace mo::tflite
