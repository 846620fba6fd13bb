// A step of TensorFlow's BasicLSTMCell, whose gates are the columns i, j, f, o of one product:
//   i, j, f, o = Split(MatMul(Concat(x, h), kernel) + bias)
//   c' = c * Sigmoid(f + forget_bias) + Sigmoid(i) * Tanh(j)
//   h' = Tanh(c') * Sigmoid(o)            ->  h', c' = LSTMCell(x, h, c, W, R, B)
// Cells of one kernel share the rearranged weights.
#include <mo/build.hpp>

namespace mo::tensorflow {

class FuseLstmCell : public MatcherPass {
 public:
  FuseLstmCell() : MatcherPass(MO_PHASE_MIDDLE) {
    id = "tf.middle.fuse_lstm_cell";
    doc = "the operations of a BasicLSTMCell become LSTMCell";
    before = "Multiply(Tanh(Add(Multiply(c, Sigmoid(f)), Multiply(Sigmoid(i), Tanh(j)))), Sigmoid(o))";
    after = "LSTMCell(x, h, c, W, R, B)";
    frameworks = {"tf"};
    force_clean_up = true;

    const auto gate = [](uint32_t number) {
      return any_input(
          [number](const OutPort& p) { return p.index() == number && p.node().op() == "Split"; });
    };
    const auto of = [](const char* op, const Pattern& x) { return wrap_type({op}, {x})->one_consumer(); };
    const auto both = [](const char* op, const Pattern& a, const Pattern& b) {
      return wrap_type({op}, {a, b})->commutative();
    };
    const auto i = gate(0), j = gate(1), f = gate(2), o = gate(3), c = any_input(), forget = constant();
    const auto kept = any_of({both("Add", f, forget)->one_consumer(), f});
    const auto cell_state = both("Add", both("Multiply", c, of("Sigmoid", kept))->one_consumer(),
                                 both("Multiply", of("Sigmoid", i), of("Tanh", j))->one_consumer());
    const auto output = both("Multiply", wrap_type({"Tanh"}, {cell_state}), of("Sigmoid", o));
    register_matcher(output, [=](Graph g, Match& m) {
      const Node split = m.port(i).node();
      for (const Pattern& other : {j, f, o})
        only_when(m.port(other).node() == split, "the gates are not of one product");
      double forget_bias = 0;
      if (m.has(forget)) {
        const auto value = m.port(forget).value();
        only_when(value->size() == 1, "the forget bias is not one number");
        forget_bias = value->number(0);
      }
      const Parts p = parts_of(split);
      const Shape state = m.port(c).shape();
      only_when(state.is_static() && state == m.port(cell_state).shape() && state == p.h.shape() &&
                    state.rank() == 2 && state[1] == Dim(p.hidden) && p.x.shape().rank() == 2,
                "the states have not the shape of the gates");
      fuse(g, m, p, m.port(c), m.port(cell_state), forget_bias);
    });
  }

 private:
  struct Parts {
    OutPort x, h, kernel, bias;  // bias: empty when there is none
    int64_t hidden, input;
  };

  static bool is_along_columns(const OutPort& axis) {
    const auto value = axis.value();
    return value && value->size() == 1 && (value->integer(0) == 1 || value->integer(0) == -1);
  }

  static Parts parts_of(const Node& split) {
    Parts p{};
    only_when(split.attr<int64_t>("num_splits") == 4 && is_along_columns(split.in_port(1).get_source()),
              "the gates are not four groups of columns");
    OutPort sum = split.in_port(0).get_source();
    if (sum.node().op() == "Add") {
      const Node add = sum.node();
      const size_t at = add.in_node(0).op() == "Const" ? 0 : 1;
      p.bias = add.in_port(at).get_source();
      sum = add.in_port(1 - at).get_source();
    }
    const Node product = sum.node();
    only_when(
        product.op() == "MatMul" && !product.attr<bool>("transpose_a") && !product.attr<bool>("transpose_b"),
        "the gates are no product");
    const Node joined = product.in_node(0);
    only_when(joined.op() == "Concat" && joined.in_count() == 2, "what is multiplied is not x and h");
    const int64_t axis = joined.attr<int64_t>("axis");
    only_when(axis == 1 || axis == -1, "x and h are not joined along their columns");
    p.x = joined.in_port(0).get_source();
    p.h = joined.in_port(1).get_source();
    p.kernel = product.in_port(1).get_source();
    const Shape kernel = p.kernel.shape();
    only_when(p.kernel.node().op() == "Const" && kernel.rank() == 2 && kernel[1].value() % 4 == 0,
              "the kernel is no constant of four groups of columns");
    p.hidden = kernel[1].value() / 4;
    p.input = kernel[0].value() - p.hidden;
    only_when(p.input > 0, "the kernel has no rows for x");
    if (p.bias)
      only_when(p.bias.node().op() == "Const" && p.bias.shape() == Shape({kernel[1].value()}),
                "the bias is no constant with a number for each column");
    return p;
  }

  // The groups i, j, f, o of the first dimension as LSTMCell has them: f, i, j, o.
  static std::array<OutPort, 4> groups(const Build& b, const OutPort& x) {
    const Node split = b.node("Split", "opset1", {x, b.integer(0)}, 4);
    split.set("num_splits", 4);
    return {split.out_port(2), split.out_port(0), split.out_port(1), split.out_port(3)};
  }

  // W and R as the outputs of one node.
  static Node weights(const Graph& g, const Build& b, const Parts& p) {
    const std::string name = p.kernel.node().name() + "/of_cells";
    if (const auto known = g.find(name)) return *known;
    const auto [f, i, j, o] = groups(b, b.transpose(p.kernel, {1, 0}));
    const Node parts = b.node("VariadicSplit", "opset1",
                              {b.concat({f, i, j, o}), b.integer(1), b.list({p.input, p.hidden})}, 2);
    parts.rename(name);
    return parts;
  }

  static OutPort biases(const Graph& g, const Build& b, const Parts& p, double forget_bias) {
    OutPort bias = p.bias;
    if (!bias) {
      const Ints dims{4 * p.hidden};
      const std::vector<double> zeros(static_cast<size_t>(dims[0]), 0.0);
      bias = b.constant(Tensor::filled(b.context(), p.kernel.type(), zeros, dims));
    }
    const std::string name = text(bias.node().name(), "/of_cells/", forget_bias);
    if (const auto known = g.find(name)) return known->out_port();
    const auto [f, i, j, o] = groups(b, bias);
    const OutPort raised = b.op("Add", "opset1", {f, b.like(bias, forget_bias)});
    const OutPort all = b.concat({raised, i, j, o});
    all.node().rename(name);
    return all;
  }

  static void fuse(const Graph& g, const Match& m, const Parts& p, const OutPort& c, const OutPort& next_c,
                   double forget_bias) {
    const Node root = m.root();
    const Build b(g, root);
    const Node w = weights(g, b, p);
    const Node cell = b.node("LSTMCell", "opset4",
                             {p.x, p.h, c, w.out_port(0), w.out_port(1), biases(g, b, p, forget_bias)}, 2);
    cell.set("hidden_size", p.hidden);
    copy_runtime_info(m.nodes(), {cell});
    next_c.get_connection().set_source(cell.out_port(1), Names::merge);
    const std::string name = root.name();
    root.out_port().get_connection().set_source(cell.out_port(0), Names::merge);
    root.remove();
    cell.rename(name);
  }
};

void register_fuse_lstm_cell(Registry& r) { r.transformation<FuseLstmCell>(); }

}  // namespace mo::tensorflow
