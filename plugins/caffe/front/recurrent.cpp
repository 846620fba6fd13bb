// LSTM and RNN: a TensorIterator over time. The second blob is 0 where a sequence begins: what is remembered
// is multiplied by it before each step.
#include <mo/bodies.hpp>
#include <mo/lazy_views.hpp>

#include "support/registering.hpp"

namespace mo::caffe {

namespace recurrent {

struct Inputs {
  OutPort x, cont, fixed;  // [T, N, I], [T, N, 1], [N, S] when there is one
  Ports states;            // [N, H]
  int64_t hidden = 0;
};

static Inputs read(const Build& b, const SourceNode& l, size_t states) {
  Inputs in;
  in.hidden = integer(l, "recurrent_param.num_output", 0);
  require(in.hidden > 0, "num_output is missing");
  const bool exposed = flag(l, "recurrent_param.expose_hidden", false);
  const size_t expected = 2 + (exposed ? states : 0);
  require(bottom_count(l) == expected || bottom_count(l) == expected + 1, "it reads ", bottom_count(l),
          " blobs; expected ", expected, " or, with a fixed one, ", expected + 1);
  const bool has_fixed = bottom_count(l) == expected + 1;
  in.x = reshaped(b, bottom(l, 0), {0, 0, -1});
  in.cont = b.op("Unsqueeze", "opset1", {bottom(l, 1), b.list({2})});
  if (has_fixed) in.fixed = reshaped(b, bottom(l, 2), {0, -1});
  for (size_t s = 0; s < states; ++s) {
    if (exposed) {
      in.states.push_back(reshaped(b, bottom(l, 2 + (has_fixed ? 1 : 0) + s), {-1, in.hidden}));
      continue;
    }
    const OutPort size = b.concat({b.part(b.shape_of(bottom(l, 0)), 1, 2), b.list({in.hidden})}, 0);
    in.states.push_back(b.broadcast(b.number(0), size));
  }
  return in;
}

// A body whose Parameters are x, cont, the states, and the fixed blob.
class Body {
 public:
  Body(const Build& b, const SourceNode& l, const Inputs& in)
      : b_(b), tops_(l.out_count()), body_(b.graph().create_sub_graph(l.name() + "/body")) {
    x_ = sliced("x", in.x);
    cont_ = sliced("cont", in.cont);
    for (size_t s = 0; s < in.states.size(); ++s) {
      before_.push_back(body_.in(text("state_", s), in.states[s], {}, ElementType::f32));
      states_.push_back(op("Multiply", {before_[s], cont_}));
    }
    if (in.fixed) fixed_ = body_.in("fixed", in.fixed, {}, ElementType::f32);
  }

  const OutPort& x() const { return x_; }
  const OutPort& fixed() const { return fixed_; }
  const Ports& states() const { return states_; }

  Node with(std::string_view type, std::string_view opset, const Ports& inputs, uint32_t outputs = 1) const {
    return body_.graph().create_node(type, opset, type, inputs, outputs);
  }
  OutPort op(std::string_view type, const Ports& inputs) const {
    return with(type, "opset1", inputs).out_port();
  }
  OutPort constant(const Tensor& t) const { return body_.graph().create_const("const", t).out_port(); }
  // x times weights [outputs, inputs]
  OutPort product(const OutPort& x, const Tensor& weights) const {
    const Node m = with("MatMul", "opset1", {x, constant(weights)});
    m.set("transpose_a", false).set("transpose_b", true);
    return m.out_port();
  }

  // What each step gives, and the states after it; the layer's outputs.
  Ports finish(const OutPort& y, const Ports& next) {
    body_.out("y", op("Unsqueeze", {y, body_.graph().create_ints("axes", {0}).out_port()}), 0, Slices{});
    for (size_t s = 0; s < next.size(); ++s)
      body_.next(body_.out(text("next_", s), next[s], static_cast<int64_t>(s) + 1), before_[s]);
    const Node loop =
        b_.node("TensorIterator", "opset1", body_.inputs(), static_cast<uint32_t>(next.size()) + 1);
    body_.set(loop);
    Ports outputs{loop.out_port(0)};
    for (size_t s = 0; s + 1 < tops_; ++s)
      outputs.push_back(b_.op("Unsqueeze", "opset1", {loop.out_port(s + 1), b_.list({0})}));
    return outputs;
  }

 private:
  // One step of time, without its dimension.
  OutPort sliced(std::string_view name, const OutPort& source) {
    const OutPort p = body_.in(name, source, Slices{}, ElementType::f32);
    return op("Squeeze", {p, body_.graph().create_ints("axes", {0}).out_port()});
  }

  const Build& b_;
  size_t tops_;
  BodyBuilder body_;
  OutPort x_, cont_, fixed_;
  Ports before_, states_;
};

// Rows of gates in another order, when they are written: weights are large.
static Tensor reordered(Context c, const Tensor& weights, const std::vector<size_t>& order) {
  const uint64_t gate = weights.bytes() / order.size();
  const auto read = [weights, order, gate](Context at, uint64_t offset, uint64_t bytes, char* to) {
    while (bytes != 0) {
      const uint64_t first = offset % gate, n = std::min(bytes, gate - first);
      weights.read(at, order[offset / gate] * gate + first, n, to);
      offset += n;
      bytes -= n;
      to += n;
    }
  };
  return lazy_tensor(c, ElementType::f32, weights.dims(), {weights}, read);
}

// Columns of both side by side.
static Tensor beside(Context c, const Tensor& a, const Tensor& b) { return lazy_joined(c, {a, b}, 1); }

static int64_t width(const SourceNode& l, const OutPort& x, size_t blob) {
  if (blob_count(l) > blob) return -1;
  const Shape s = shape_of(x);
  require(s.has_rank() && !s.empty() && s[s.size() - 1].is_static(),
          "the size of what it reads is not known");
  return s[s.size() - 1].value();
}

static Ports lstm(Build& b, const SourceNode& l) {
  const Inputs in = read(b, l, 2);
  Body body(b, l, in);
  const int64_t rows = detail::checked_mul(4, in.hidden);
  Tensor w = weights(l, 0, {rows, width(l, in.x, 0)});
  const Tensor bias = weights(l, 1, {rows});
  OutPort x = body.x();
  size_t next = 2;
  if (in.fixed) {
    w = beside(b.context(), w, weights(l, next++, {rows, width(l, in.fixed, 2)}));
    x = body.with("Concat", "opset1", {x, body.fixed()}).set("axis", 1).out_port();
  }
  const Tensor r = weights(l, next, {rows, in.hidden});
  // Caffe has the gates input, forget, output, cell; the operation forget, input, cell, output.
  const std::vector<size_t> order{1, 0, 3, 2};
  const Node cell = body.with(
      "LSTMCell", "opset4",
      {x, body.states()[0], body.states()[1], body.constant(reordered(b.context(), w, order)),
       body.constant(reordered(b.context(), r, order)), body.constant(reordered(b.context(), bias, order))},
      2);
  cell.set("hidden_size", in.hidden);
  return body.finish(cell.out_port(0), {cell.out_port(0), cell.out_port(1)});
}

// h = tanh(Wx + Rh + b), y = tanh(Vh + c)
static Ports rnn(Build& b, const SourceNode& l) {
  const Inputs in = read(b, l, 1);
  Body body(b, l, in);
  OutPort sum = body.op("Add", {body.product(body.x(), weights(l, 0, {in.hidden, width(l, in.x, 0)})),
                                body.constant(weights(l, 1, {in.hidden}))});
  size_t next = 2;
  if (in.fixed)
    sum = body.op("Add",
                  {sum, body.product(body.fixed(), weights(l, next++, {in.hidden, width(l, in.fixed, 2)}))});
  sum = body.op("Add", {sum, body.product(body.states()[0], weights(l, next, {in.hidden, in.hidden}))});
  const OutPort h = body.op("Tanh", {sum});
  const OutPort y =
      body.op("Tanh", {body.op("Add", {body.product(h, weights(l, next + 1, {in.hidden, in.hidden})),
                                       body.constant(weights(l, next + 2, {in.hidden}))})});
  return body.finish(y, {h});
}

}  // namespace recurrent

void register_recurrent(Registry& r) {
  convert<recurrent::lstm>(r, "LSTM", "LSTM(x, cont)", "TensorIterator of LSTMCell");
  convert<recurrent::rnn>(r, "RNN", "RNN(x, cont)", "TensorIterator of MatMul, Add, Tanh");
}

}  // namespace mo::caffe
