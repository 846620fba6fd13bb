#include "support/lstm_steps.hpp"

#include <mo/port_map.hpp>

namespace mo::onnx {

namespace {

// The iterator of one direction.
class LstmIterator {
 public:
  LstmIterator(const Build& b, const SourceNode& n, const LstmSteps& lstm, bool backwards)
      : b_(b),
        lstm_(lstm),
        body_(n.graph().create_sub_graph(text(n.name(), backwards ? "/steps_back" : "/steps"))),
        in_(body_, n),
        backwards_(backwards) {}

  // All states [time, 1, batch, hidden], h and c [1, batch, hidden] of the direction with this number.
  Ports run(int64_t direction) {
    const auto own = [&](const OutPort& x) { return b_.squeeze(b_.part(x, direction, direction + 1), {0}); };
    const OutPort x = in_.squeeze(slice(lstm_.x), {0});
    const OutPort h = parameter(own(lstm_.h)), c = parameter(own(lstm_.c));
    OutPort sums = op("Add", product(x, parameter(own(lstm_.w))), product(h, parameter(own(lstm_.r))));
    if (lstm_.bias) {
      const Ports halves = split(b_, own(lstm_.bias), 0, 2);
      sums = op("Add", sums, parameter(b_.op("Add", "opset1", {halves[0], halves[1]})));
    }
    Ports states = step(split(in_, sums, 1, 4), c, direction);
    OutPort result = states[0];
    if (lstm_.lengths) {
      const OutPort step_number = slice(b_.range(b_.integer(0), b_.squeeze(lstm_.time, {0}), 1));
      const OutPort lengths = parameter(b_.convert(lstm_.lengths, ElementType::i64));
      const OutPort runs = in_.unsqueeze(op("Less", step_number, lengths), in_.list({1}));
      result = in_.select(runs, states[0], zero());
      states = {in_.select(runs, states[0], h), in_.select(runs, states[1], c)};
    }
    next(states[0], h, 1);
    next(states[1], c, 2);
    collect(in_.unsqueeze(result, in_.list({0})), 0, true);
    const Node t = b_.node("TensorIterator", "opset1", outer_, 3);
    t.set("body", GraphHandle{body_.id()}).set("port_map", lines_).set("back_edges", edges_);
    return {b_.unsqueeze(t.out_port(0), b_.list({1})), b_.unsqueeze(t.out_port(1), b_.list({0})),
            b_.unsqueeze(t.out_port(2), b_.list({0}))};
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
    const OutPort f = lstm_.coupled ? op("Subtract", in_.like(body_type(), 1), i) : gate(2, 2, c);
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
  OutPort body_type() const { return parameters_.front().out_port(); }  // a slice of x
  OutPort zero() const { return in_.like(body_type(), 0); }

  OutPort parameter(const OutPort& outer) { return parameter(outer, false); }
  OutPort slice(const OutPort& outer) { return parameter(outer, true); }
  OutPort parameter(const OutPort& outer, bool sliced) {
    const Node p = body_.create_node("Parameter", "opset1", text("argument_", outer_.size()));
    if (outer.type() != ElementType::unknown) p.set("element_type", outer.type());
    p.out_port().set_shape(outer.type(), Shape::unknown());
    PortMapEntry e;
    e.external = e.internal = static_cast<int64_t>(outer_.size());
    if (sliced) go_along(e);
    append_text(lines_.emplace_back(), e);
    outer_.push_back(outer);
    parameters_.push_back(p);
    return p.out_port();
  }
  void go_along(PortMapEntry& e) const {
    e.axis = 0;
    if (!backwards_) return;
    e.start = -1;
    e.end = 0;
    e.stride = -1;
  }
  int64_t collect(const OutPort& value, int64_t port, bool sliced) {
    body_.create_node("Result", "opset1", text("result_", results_), {value});
    PortMapEntry e;
    e.output = true;
    e.external = port;
    e.internal = results_;
    if (sliced) go_along(e);
    append_text(lines_.emplace_back(), e);
    return results_++;
  }
  void next(const OutPort& value, const OutPort& state, int64_t port) {
    const auto at = std::find(parameters_.begin(), parameters_.end(), state.node()) - parameters_.begin();
    edges_.insert(edges_.end(), {collect(value, port, false), static_cast<int64_t>(at)});
  }

  const Build& b_;
  const LstmSteps& lstm_;
  Graph body_;
  Build in_;
  bool backwards_;
  Ports outer_;
  std::vector<Node> parameters_;
  std::vector<std::string> lines_;
  Ints edges_;
  int64_t results_ = 0;
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
