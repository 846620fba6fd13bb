// The basic LSTM cell, written out, is LSTMCell:
//   i, j, f, o = Split(Concat(x, h) W + b)
//   c' = c * Sigmoid(f + forget) + Sigmoid(i) * Tanh(j),  h' = Tanh(c') * Sigmoid(o)  ->  LSTMCell(x, h, c,
//   W, R, B)
#include "support/channel_values.hpp"
#include "support/fuse_transposes.hpp"

namespace mo::builtin_passes {

namespace {

// The parts of a cell, as far as they have been found.
struct LstmParts {
  Node sum, split;  // of c', of the gates
  OutPort x, h, c, weights, bias;
  double forget = 0;
  int64_t inputs = 0, hidden = 0;
};

std::optional<OutPort> input_of(const OutPort& p, std::string_view op) {
  const Node n = p.node();
  return n.op() == op ? std::optional(n.in_port(0).get_source()) : std::nullopt;
}

// A product or sum of two things, in either order, that the functions take.
template <class First, class Second>
bool both_ways(const OutPort& p, std::string_view op, First first, Second second) {
  const Node n = p.node();
  if (n.op() != op || n.in_count() != 2) return false;
  const OutPort a = n.in_port(0).get_source(), b = n.in_port(1).get_source();
  return (first(a) && second(b)) || (first(b) && second(a));
}

bool is_gate(const OutPort& p, std::string_view function, uint32_t index, Node& split) {
  const auto x = input_of(p, function);
  if (!x || x->node().op() != "Split" || x->index() != index || (split && split != x->node())) return false;
  split = x->node();
  return true;
}

std::optional<LstmParts> gates_of(const Node& product) {
  LstmParts parts;
  OutPort sum;
  const auto tanh = [&](const OutPort& p) {
    const auto in = input_of(p, "Tanh");
    if (in) sum = *in;
    return in && in->node().op() == "Add";
  };
  const auto output = [&](const OutPort& p) { return is_gate(p, "Sigmoid", 3, parts.split); };
  if (!both_ways(product.out_port(), "Multiply", tanh, output)) return std::nullopt;
  parts.sum = sum.node();
  const auto forget = [&](const OutPort& p) {
    const auto in = input_of(p, "Sigmoid");
    if (!in) return false;
    if (in->node() == parts.split && in->index() == 2) return true;
    const auto gate = [&](const OutPort& g) { return g.node() == parts.split && g.index() == 2; };
    const auto number = [&](const OutPort& g) {
      const auto value = channel_values(g, 2, 1);
      if (!value || value->size() != 1) return false;
      parts.forget = value->front();
      return true;
    };
    return both_ways(*in, "Add", gate, number);
  };
  const auto state = [&](const OutPort& p) {
    parts.c = p;
    return true;
  };
  const auto kept = [&](const OutPort& p) { return both_ways(p, "Multiply", forget, state); };
  const auto in = [&](const OutPort& p) { return is_gate(p, "Sigmoid", 0, parts.split); };
  const auto new_state = [&](const OutPort& p) { return is_gate(p, "Tanh", 1, parts.split); };
  const auto added = [&](const OutPort& p) { return both_ways(p, "Multiply", in, new_state); };
  return both_ways(sum, "Add", kept, added) ? std::optional(parts) : std::nullopt;
}

bool find_product(LstmParts& parts) {
  const auto axis = parts.split.in_port(1).value();
  if (parts.split.out_count() != 4 || !axis || axis->size() != 1 ||
      (axis->integer(0) != 1 && axis->integer(0) != -1))
    return false;
  OutPort product;
  const auto matrix = [&](const OutPort& p) {
    product = p;
    return p.node().op() == "MatMul";
  };
  const auto bias = [&](const OutPort& p) {
    parts.bias = p;
    return channel_values(p, 2, 1).has_value();
  };
  if (!both_ways(parts.split.in_port(0).get_source(), "Add", matrix, bias)) return false;
  const Node m = product.node(), joined = m.in_node(0);
  parts.weights = m.in_port(1).get_source();
  if (m.attr<bool>("transpose_a", false) || m.attr<bool>("transpose_b", false) || joined.op() != "Concat" ||
      joined.in_count() != 2 || parts.weights.node().op() != "Const")
    return false;
  const auto along = joined.attr<int64_t>("axis", 0);
  parts.x = joined.in_port(0).get_source();
  parts.h = joined.in_port(1).get_source();
  const Shape x = parts.x.shape(), h = parts.h.shape(), c = parts.c.shape(), w = parts.weights.shape();
  if ((along != 1 && along != -1) || x.rank() != 2 || h.rank() != 2 || c.rank() != 2 || !w.is_static())
    return false;
  if (!x[1].is_static() || !h[1].is_static() || c[1] != h[1] || parts.weights.type() != ElementType::f32)
    return false;
  parts.inputs = x[1].value();
  parts.hidden = h[1].value();
  // Each input has the batch's size, which must be known for that: nothing is repeated for it.
  return c[0].is_static() && x[0] == h[0] && h[0] == c[0] &&
         w == Shape{Dim(parts.inputs + parts.hidden), Dim(4 * parts.hidden)};
}

}  // namespace

class FuseLstmCell : public ModelPass {
 public:
  FuseLstmCell() : ModelPass(MO_PHASE_POST_MIDDLE) {
    id = "middle.fuse_lstm_cell";
    doc = "the basic LSTM cell, written out, becomes LSTMCell";
    before = R"(
      %x = Parameter -> f32[2,1]
      %h = Parameter -> f32[2,1]
      %c = Parameter -> f32[2,1]
      %w = Const -> f32[2,4] {1,2,3,4,5,6,7,8}
      %b = Const -> f32[4] {0.5,0.25,-0.5,-1}
      %one = Const -> f32[] {1}
      %axis = Const -> i64[] {1}
      %joined = Concat@opset1 (%x, %h) {axis=1}
      %m = MatMul@opset1 (%joined, %w) {transpose_a=false, transpose_b=false}
      %s = Add@opset1 (%m, %b)
      %g = Split@opset1 (%s, %axis) {num_splits=4} -> (_, _, _, _)
      %f = Add@opset1 (%g:2, %one)
      %fs = Sigmoid@opset1 (%f)
      %kept = Multiply@opset1 (%c, %fs)
      %is = Sigmoid@opset1 (%g)
      %js = Tanh@opset1 (%g:1)
      %new = Multiply@opset1 (%is, %js)
      %c2 = Add@opset1 (%kept, %new)
      %t = Tanh@opset1 (%c2)
      %os = Sigmoid@opset1 (%g:3)
      %y = Multiply@opset1 (%t, %os)
      Result (%y)
      Result (%c2))";
    after = R"(
      %x = Parameter -> f32[2,1]
      %h = Parameter -> f32[2,1]
      %c = Parameter -> f32[2,1]
      %w = Const@opset1 -> f32[4,1] {3,1,2,4}
      %r = Const@opset1 -> f32[4,1] {7,5,6,8}
      %b = Const@opset1 -> f32[4] {0.5,0.5,0.25,-1}
      %y = LSTMCell@opset4 (%x, %h, %c, %w, %r, %b) {hidden_size=1} -> (_, _)
      Result (%y)
      Result (%y:1))";
    run_after = {"middle.reshape_transposes"};
    run_before = {"middle.fuse_linear"};
    force_clean_up = true;
  }
  void run_on_model(Graph g) override {
    Weights made;
    for (const Node& n : g.get_op_nodes("Multiply"))
      if (auto parts = gates_of(n); parts && find_product(*parts)) fuse(g, n, *parts, made);
  }

 private:
  using Key = std::tuple<mo_node, mo_node, double, int64_t>;
  using Weights = std::map<Key, std::vector<OutPort>>;

  // LSTMCell has the gates in the order f, i, c, o, and its matrices turned round.
  static std::vector<OutPort> weights_for(const Graph& g, const LstmParts& p, Weights& made) {
    auto& ports = made[{p.weights.node().id(), p.bias.node().id(), p.forget, p.inputs}];
    if (!ports.empty()) return ports;
    constexpr int64_t from[] = {2, 0, 1, 3};
    const Tensor weights = *p.weights.value();
    const auto values = weights.to_floats<float>();
    const auto bias = *channel_values(p.bias, 2, 1);
    const int64_t hidden = p.hidden, columns = 4 * hidden;
    auto [w, w_data] = Tensor::create<float>(g.context(), {columns, p.inputs});
    auto [r, r_data] = Tensor::create<float>(g.context(), {columns, hidden});
    auto [b, b_data] = Tensor::create<float>(g.context(), {columns});
    for (int64_t row = 0; row < columns; ++row) {
      const int64_t gate = row / hidden, column = from[gate] * hidden + row % hidden;
      for (int64_t i = 0; i < p.inputs + hidden; ++i) {
        const float v = values[static_cast<size_t>(i * columns + column)];
        if (i < p.inputs)
          w_data[row * p.inputs + i] = v;
        else
          r_data[row * hidden + i - p.inputs] = v;
      }
      const double added = bias[bias.size() == 1 ? 0 : static_cast<size_t>(column)];
      b_data[row] = static_cast<float>(added + (gate == 0 ? p.forget : 0));
    }
    const std::string name = p.weights.node().name();
    for (const auto& [suffix, t] : {std::pair("/W", w), std::pair("/R", r), std::pair("/B", b)})
      ports.push_back(g.create_const(name + suffix, t).out_port());
    return ports;
  }

  static void fuse(const Graph& g, const Node& product, const LstmParts& p, Weights& made) {
    const auto w = weights_for(g, p, made);
    const Node cell = g.create_node("LSTMCell", "opset4", product.name() + "/LSTMCell",
                                    {p.x, p.h, p.c, w[0], w[1], w[2]}, 2);
    cell.set("hidden_size", p.hidden);
    const OutPort was[] = {product.out_port(), p.sum.out_port()};
    for (const uint32_t i : {0U, 1U}) {
      const OutPort is = cell.out_port(i);
      is.set_shape(was[i].type(), was[i].shape());
      for (const InPort& reader : was[i].get_destinations()) reader.set_source(is);
      give_tensor_names(was[i], is);
    }
    take_name(product, cell);
  }
};

void register_fuse_lstm_cell(Registry& r) { r.transformation<FuseLstmCell>(); }

}  // namespace mo::builtin_passes
