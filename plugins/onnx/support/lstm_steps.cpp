#include "support/lstm_steps.hpp"

#include "support/step_iterator.hpp"

namespace mo::onnx {

namespace {

// The iterator of one direction.
class LstmIterator {
 public:
  LstmIterator(const Build& b, const SourceNode& n, const LstmSteps& lstm, bool backwards)
      : b_(b), lstm_(lstm), steps_(b, n, backwards ? "steps_back" : "steps", backwards), in_(steps_.in()) {}

  // All states [time, 1, batch, hidden], h and c [1, batch, hidden] of the direction with this number.
  Ports run(int64_t direction) {
    const auto own = [&](const OutPort& x) { return b_.squeeze(b_.part(x, direction, direction + 1), {0}); };
    sliced_ = steps_.slice(lstm_.x);
    const OutPort x = in_.squeeze(sliced_, {0});
    const OutPort h = parameter(own(lstm_.h)), c = parameter(own(lstm_.c));
    OutPort sums = op("Add", product(x, parameter(own(lstm_.w))), product(h, parameter(own(lstm_.r))));
    if (lstm_.bias) {
      const Ports halves = split(b_, own(lstm_.bias), 0, 2);
      sums = op("Add", sums, parameter(b_.op("Add", "opset1", {halves[0], halves[1]})));
    }
    Ports states = step(split(in_, sums, 1, 4), c, direction);
    OutPort result = states[0];
    if (lstm_.lengths) {
      const OutPort step_number = steps_.slice(b_.range(b_.integer(0), b_.squeeze(lstm_.time, {0}), 1));
      const OutPort lengths = parameter(b_.convert(lstm_.lengths, ElementType::i64));
      const OutPort runs = in_.unsqueeze(op("Less", step_number, lengths), in_.list({1}));
      result = in_.select(runs, states[0], zero());
      states = {in_.select(runs, states[0], h), in_.select(runs, states[1], c)};
    }
    steps_.next(states[0], h, 1);
    steps_.next(states[1], c, 2);
    steps_.collect(in_.unsqueeze(result, in_.list({0})), 0);
    const Ports all = steps_.finish(3);
    return {b_.unsqueeze(all[0], b_.list({1})), b_.unsqueeze(all[1], b_.list({0})),
            b_.unsqueeze(all[2], b_.list({0}))};
  }

 private:
  // h and c behind the step.
  Ports step(const Ports& sums, const OutPort& c, int64_t direction) {
    Ports p;
    if (lstm_.peepholes)
      for (const OutPort& part :
           split(b_, b_.squeeze(b_.part(lstm_.peepholes, direction, direction + 1), {0}), 0, 3))
        p.push_back(parameter(part));
    const auto gate = [&](size_t number, size_t peephole, const OutPort& cell) {
      const OutPort& sum = sums[number];
      return activation(p.empty() ? sum : op("Add", sum, op("Multiply", p[peephole], cell)), 0);
    };
    const OutPort i = gate(0, 0, c);
    const OutPort f = lstm_.coupled ? op("Subtract", in_.like(sliced_, 1), i) : gate(2, 2, c);
    const OutPort candidate = activation(sums[3], 1);
    const OutPort cell = op("Add", op("Multiply", f, c), op("Multiply", i, candidate));
    return {op("Multiply", gate(1, 1, cell), function(cell, 2)), cell};
  }

  OutPort activation(const OutPort& x, size_t number) const {
    if (lstm_.clip <= 0) return function(x, number);
    const Node cut = in_.node("Clamp", "opset1", {x});
    cut.set("min", -lstm_.clip).set("max", lstm_.clip);
    return function(cut.out_port(), number);
  }
  OutPort function(const OutPort& x, size_t number) const {
    const std::string& name = lstm_.activations[number];
    return in_.op(name == "sigmoid" ? "Sigmoid" : name == "tanh" ? "Tanh" : "ReLU", "opset1", {x});
  }

  OutPort op(std::string_view type, const OutPort& l, const OutPort& r) const {
    return in_.op(type, "opset1", {l, r});
  }
  OutPort product(const OutPort& x, const OutPort& weights) const {
    const Node m = in_.node("MatMul", "opset1", {x, weights});
    m.set("transpose_a", false).set("transpose_b", true);
    return m.out_port();
  }
  static Ports split(const Build& b, const OutPort& x, int64_t axis, int64_t count) {
    const Node s = b.node("Split", "opset1", {x, b.integer(axis)}, static_cast<uint32_t>(count));
    s.set("num_splits", count);
    return s.out_ports();
  }
  OutPort zero() const { return in_.like(sliced_, 0); }
  OutPort parameter(const OutPort& outer) { return steps_.whole(outer); }

  const Build& b_;
  const LstmSteps& lstm_;
  StepIterator steps_;
  const Build& in_;
  OutPort sliced_;  // tells the type
};

}  // namespace

Ports lstm_steps(const Build& b, const SourceNode& n, const LstmSteps& lstm) {
  if (lstm.direction != "bidirectional") return LstmIterator(b, n, lstm, lstm.direction == "reverse").run(0);
  const Ports forward = LstmIterator(b, n, lstm, false).run(0), back = LstmIterator(b, n, lstm, true).run(1);
  Ports both;
  for (size_t i = 0; i < forward.size(); ++i) both.push_back(b.concat({forward[i], back[i]}, i == 0 ? 1 : 0));
  return both;
}

}  // namespace mo::onnx
