// Cells of recurrent networks that TensorFlow has as one operator: LSTMBlockCell, GRUBlockCell, and
// BlockLSTM, which is the former for all steps of a sequence.
#include "support/build.hpp"
#include "support/list_operators.hpp"

#include <mo/bodies.hpp>

namespace mo::tensorflow {

namespace block_cells {

static OutPort binary(const Build& b, std::string_view type, const OutPort& l, const OutPort& r) {
  const OutPort y = b.op(type, "opset1", {l, r});
  y.set_shape(l.type(), Shape::unknown());
  return y;
}
static OutPort plus(const Build& b, const OutPort& l, const OutPort& r) { return binary(b, "Add", l, r); }
static OutPort times(const Build& b, const OutPort& l, const OutPort& r) {
  return binary(b, "Multiply", l, r);
}
static OutPort product(const Build& b, const OutPort& l, const OutPort& r) {
  const Node m = b.node("MatMul", "opset1", {l, r});
  m.set("transpose_a", false).set("transpose_b", false);
  m.out_port().set_shape(l.type(), Shape::unknown());
  return m.out_port();
}
static OutPort unary(const Build& b, std::string_view type, const OutPort& x) {
  const OutPort y = b.op(type, "opset1", {x});
  y.set_shape(x.type(), Shape::unknown());
  return y;
}
static Ports parts(const Build& b, const OutPort& x, int64_t count) {
  const Node s = b.node("Split", "opset1", {x, b.integer(1)}, static_cast<uint32_t>(count));
  s.set("num_splits", count);
  for (const OutPort& p : s.out_ports()) p.set_shape(x.type(), Shape::unknown());
  return s.out_ports();
}

struct Cell {
  OutPort x, cs, h, weights, wci, wcf, wco, bias;  // wci, wcf, wco: empty without peepholes
  bool forget_second = false;                      // order of the gates: i f c o instead of i c f o
  double forget_bias = 0, clip = 0;
};
// i, cs, f, o, ci, co, h
static Ports step(const Build& b, const Cell& c) {
  const OutPort all = plus(b, product(b, b.concat({c.x, c.h}, 1), c.weights), c.bias);
  const Ports gates = parts(b, all, 4);
  OutPort i = gates[0], f = gates[c.forget_second ? 1 : 2], o = gates[3];
  if (c.forget_bias != 0) f = plus(b, f, b.like(c.x, c.forget_bias));
  if (c.wci) {
    i = plus(b, i, times(b, c.cs, c.wci));
    f = plus(b, f, times(b, c.cs, c.wcf));
  }
  i = unary(b, "Sigmoid", i);
  f = unary(b, "Sigmoid", f);
  const OutPort ci = unary(b, "Tanh", gates[c.forget_second ? 2 : 1]);
  OutPort cs = plus(b, times(b, ci, i), times(b, c.cs, f));
  if (c.clip > 0) {
    const Node clamp = b.node("Clamp", "opset1", {cs});
    clamp.set("min", -c.clip).set("max", c.clip);
    cs = clamp.out_port();
    cs.set_shape(c.x.type(), Shape::unknown());
  }
  if (c.wco) o = plus(b, o, times(b, cs, c.wco));
  o = unary(b, "Sigmoid", o);
  const OutPort co = unary(b, "Tanh", cs);
  return {i, cs, f, o, ci, co, times(b, co, o)};
}

static void drop_unread(const SourceNode& n, Ports& ports) {
  for (size_t i = 0; i < ports.size(); ++i)
    if (!n.is_out_port_connected(i)) ports[i] = OutPort();
}

// The body of a loop over the steps, which reads what is constant as its own.
class Steps {
 public:
  Steps(const Build& b, const SourceNode& n)
      : b_(b),
        body_(n.graph().create_sub_graph(text(n.name(), "/body")), Ports(2)),
        inside_(body_.graph(), n) {}

  const Build& inside() const { return inside_; }
  // A state, or what does not change.
  OutPort whole(const OutPort& outer, bool state = false) {
    const OutPort source = behind_identities(outer);
    if (!state && source.node().is("Const") && source.value())
      return body_.graph().create_const(source.node().name(), *source.value()).out_port();
    return body_.in("argument_", outer);
  }
  OutPort slice(const OutPort& outer) {
    const OutPort one = inside_.squeeze(body_.in("argument_", outer, Slices{}), {0});
    one.set_shape(outer.type(), Shape::unknown());
    return one;
  }
  void next(const OutPort& state, const OutPort& value) { body_.next(body_.out("result_", value), state); }
  // Output `port` of the loop: what the steps give, one behind the other.
  void collect(int64_t port, const OutPort& value) {
    body_.out("result_", inside_.unsqueeze(value, inside_.list({0})), port, Slices{});
  }
  Node loop(const OutPort& count, uint32_t outputs) {
    body_.condition(inside_.constant(Tensor::scalar<bool>(b_.context(), true)), "result_");
    Ports inputs = body_.inputs();
    inputs[0] = count;
    inputs[1] = b_.constant(Tensor::scalar<bool>(b_.context(), true));
    const Node n = b_.node("Loop", "opset5", inputs, outputs);
    body_.set(n);
    return n;
  }

 private:
  const Build& b_;
  BodyBuilder body_;
  Build inside_;
};

}  // namespace block_cells

static Ports lstm_block_cell(Build& b, const SourceNode& n) {
  block_cells::Cell c;
  c.x = b.in(0);
  c.cs = b.in(1);
  c.h = b.in(2);
  c.weights = b.in(3);
  if (n.native("use_peephole", false)) {
    c.wci = b.in(4);
    c.wcf = b.in(5);
    c.wco = b.in(6);
  }
  c.bias = b.in(7);
  c.forget_bias = n.native("forget_bias", 1.0);
  c.clip = n.native("cell_clip", 3.0);
  Ports outputs = block_cells::step(b, c);
  block_cells::drop_unread(n, outputs);
  return outputs;
}

// r, u, c, h
static Ports gru_block_cell(Build& b, const SourceNode& n) {
  using namespace block_cells;
  const OutPort x = b.in(0), h = b.in(1);
  const Ports gates =
      parts(b, unary(b, "Sigmoid", plus(b, product(b, b.concat({x, h}, 1), b.in(2)), b.in(4))), 2);
  const OutPort r = gates[0], u = gates[1];
  const OutPort c = unary(b, "Tanh", plus(b, product(b, b.concat({x, times(b, h, r)}, 1), b.in(3)), b.in(5)));
  const OutPort rest = binary(b, "Subtract", b.like(x, 1), u);
  Ports outputs{r, u, c, plus(b, times(b, rest, c), times(b, u, h))};
  drop_unread(n, outputs);
  return outputs;
}

// Steps behind seq_len_max give zeros.
static Ports block_lstm(Build& b, const SourceNode& n) {
  using namespace block_cells;
  const bool second = n.is("BlockLSTMV2");
  const OutPort x = b.in(1);
  Steps steps(b, n);
  Cell c;
  c.x = steps.slice(x);
  const OutPort cs = c.cs = steps.whole(b.in(2), true);
  const OutPort h = c.h = steps.whole(b.in(3), true);
  c.weights = steps.whole(b.in(4));
  if (n.native("use_peephole", false)) {
    c.wci = steps.whole(b.in(5));
    c.wcf = steps.whole(b.in(6));
    c.wco = steps.whole(b.in(7));
  }
  c.bias = steps.whole(b.in(8));
  c.forget_second = second;
  c.forget_bias = second ? 0.0 : n.native("forget_bias", 1.0);
  c.clip = n.native("cell_clip", second ? 0.0 : 3.0);
  const Ports results = step(steps.inside(), c);
  steps.next(cs, results[1]);
  steps.next(h, results[6]);
  std::vector<size_t> read;
  for (size_t i = 0; i < std::min<size_t>(n.out_count(), 7); ++i)
    if (n.is_out_port_connected(i)) read.push_back(i);
  if (read.empty()) read.push_back(6);
  for (size_t k = 0; k < read.size(); ++k) steps.collect(static_cast<int64_t>(k), results[read[k]]);
  const OutPort time = b.dim(x, 0);
  const OutPort most =
      b.op("Maximum", "opset1",
           {b.op("Minimum", "opset1", {b.reshape(b.convert(b.in(0), ElementType::i64), Ints{1}), time}),
            b.list({0})});
  const Node loop = steps.loop(b.reshape(most, b.list({})), static_cast<uint32_t>(read.size()));
  Ports outputs(7);
  for (size_t k = 0; k < read.size(); ++k) {
    const OutPort y = loop.out_port(k);
    y.set_shape(x.type(), Shape::unknown());
    const OutPort missing = b.subtract(time, b.dim(y, 0));
    const OutPort zeros =
        b.op("Broadcast", "opset3", {b.like(x, 0), b.concat({missing, b.part(b.shape_of(y), 1, INT64_MAX)})});
    outputs[read[k]] = b.concat({y, zeros});
  }
  return outputs;
}

void register_block_cells(Registry& r) {
  replace<lstm_block_cell>(
      r, {"LSTMBlockCell", "LSTMBlockCell(x, cs, h, w, wci, wcf, wco, b)", "MatMul, Sigmoid, Tanh"});
  replace<gru_block_cell>(
      r, {"GRUBlockCell", "GRUBlockCell(x, h, w_ru, w_c, b_ru, b_c)", "MatMul, Sigmoid, Tanh"});
  for (const char* op : {"BlockLSTM", "BlockLSTMV2"})
    replace<block_lstm>(r, {op, text(op, "(n, x, cs, h, w, wci, wcf, wco, b)"), "Loop(n, x, cs, h)"});
}

}  // namespace mo::tensorflow
