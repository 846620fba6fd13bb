// The cell of BasicLSTMCell, in a loop or unrolled, is one operation:
//   i, j, f, o = Split(Add(MatMul(Concat(x, h), W), b))
//   c' = sigmoid(f + bias) * c + sigmoid(i) * tanh(j), h' = sigmoid(o) * tanh(c')   ->   LSTMCell(x, h, c, W', R', B')
// Its weights stand transposed, and its gates in the order f i j o.
#include <mo/sdk.hpp>

#include <array>
#include <map>

namespace mo::tensorflow {

class FuseLstmCells : public ModelPass {
 public:
  FuseLstmCells() {
    id = "tf.middle.fuse_lstm_cells";
    doc = "the operations of BasicLSTMCell are an LSTMCell";
    before = "Multiply(Sigmoid(o), Tanh(Add(Multiply(Sigmoid(f), c), Multiply(Sigmoid(i), Tanh(j)))))";
    after = "LSTMCell(x, h, c, W, R, B)";
    frameworks = {"tf"};
    run_after = {"tf.middle.move_constants_into_loops"};
    force_clean_up = true;
    force_shape_inference = true;
  }
  void run_on_model(Graph g) override {
    Made made;
    for (const Node& split : g.get_op_nodes("Split"))
      if (const auto cell = match(split)) fuse(g, *cell, made);
  }

 private:
  struct Cell {
    OutPort x, h, c, weights, bias;
    double forget = 0;
    OutPort next_h, next_c;
    int64_t hidden = 0, inputs = 0;
  };
  // Weights of a cell serve all steps of an unrolled network.
  using Key = std::tuple<mo_node, mo_node, double>;
  using Made = std::map<Key, std::array<OutPort, 3>>;

  // The only reader of a port, when it is such an operation.
  static std::optional<Node> reader(const OutPort& p, std::string_view op) {
    if (p.destination_count() != 1) return std::nullopt;
    const Node n = p.get_destination().node();
    return n.op() == op ? std::optional(n) : std::nullopt;
  }
  static OutPort source(const Node& n, size_t i) { return n.in_port(i).get_source(); }
  // The operand of a binary operation that is not `known`.
  static OutPort other(const Node& n, const OutPort& known) {
    return source(n, 0) == known ? source(n, 1) : source(n, 0);
  }
  static bool is_const(const OutPort& p) { return p && p.node().op() == "Const" && p.value(); }

  static std::optional<Cell> match(const Node& split) {
    const auto axis = source(split, 1).value();
    if (split.attr<int64_t>("num_splits") != 4 || !axis || axis->size() != 1 || axis->integer(0) != 1)
      return std::nullopt;
    Cell cell;
    if (!match_product(split, cell) || !match_gates(split, cell)) return std::nullopt;
    // The shapes tell what belongs to x and what to h.
    const Shape w = cell.weights.shape(), b = cell.bias.shape(), h = cell.h.shape(), c = cell.c.shape(),
                x = cell.x.shape();
    if (w.rank() != 2 || b.rank() != 1 || h.rank() != 2 || c.rank() != 2 || x.rank() != 2) return std::nullopt;
    if (!w.is_static() || b[0] != w[1] || w[1].value() % 4 != 0) return std::nullopt;
    cell.hidden = w[1].value() / 4;
    cell.inputs = w[0].value() - cell.hidden;
    const bool fits = cell.hidden > 0 && cell.inputs > 0 && h[1] == Dim(cell.hidden) && c[1] == Dim(cell.hidden) &&
                      x[1] == Dim(cell.inputs) && h[0] == x[0] && c[0] == x[0] && x[0].is_static();
    return fits ? std::optional(cell) : std::nullopt;
  }

  static bool match_product(const Node& split, Cell& cell) {
    const Node add = source(split, 0).node();
    if (add.op() != "Add" || add.out_port().destination_count() != 1) return false;
    const size_t bias = is_const(source(add, 1)) ? 1 : 0;
    cell.bias = source(add, bias);
    const Node product = source(add, 1 - bias).node();
    if (!is_const(cell.bias) || product.op() != "MatMul" || product.out_port().destination_count() != 1) return false;
    if (product.attr("transpose_a", false) || product.attr("transpose_b", false)) return false;
    cell.weights = source(product, 1);
    const Node joined = source(product, 0).node();
    if (!is_const(cell.weights) || joined.op() != "Concat" || joined.in_count() != 2) return false;
    const auto axis = joined.attr<int64_t>("axis");
    if ((axis != 1 && axis != -1) || joined.out_port().destination_count() != 1) return false;
    cell.x = source(joined, 0);
    cell.h = source(joined, 1);
    return true;
  }

  static bool match_gates(const Node& split, Cell& cell) {
    const auto input = reader(split.out_port(0), "Sigmoid"), fresh = reader(split.out_port(1), "Tanh"),
               output = reader(split.out_port(3), "Sigmoid");
    auto forget = reader(split.out_port(2), "Sigmoid");
    if (const auto add = reader(split.out_port(2), "Add")) {
      const OutPort bias = other(*add, split.out_port(2));
      if (!is_const(bias) || bias.value()->size() != 1) return false;
      cell.forget = bias.value()->number(0);
      forget = reader(add->out_port(), "Sigmoid");
    }
    if (!input || !fresh || !output || !forget) return false;
    const auto kept = reader(forget->out_port(), "Multiply"), added = reader(input->out_port(), "Multiply");
    if (!kept || !added || other(*added, input->out_port()) != fresh->out_port()) return false;
    if (fresh->out_port().destination_count() != 1) return false;
    cell.c = other(*kept, forget->out_port());
    const auto sum = reader(kept->out_port(), "Add");
    if (!sum || other(*sum, kept->out_port()) != added->out_port() || !reader(added->out_port(), "Add")) return false;
    cell.next_c = sum->out_port();
    const auto product = reader(output->out_port(), "Multiply");
    if (!product) return false;
    const OutPort squashed = other(*product, output->out_port());
    cell.next_h = product->out_port();
    return squashed.node().op() == "Tanh" && source(squashed.node(), 0) == cell.next_c &&
           squashed.destination_count() == 1;
  }

  static std::array<OutPort, 3> weights(const Graph& g, const Cell& cell) {
    const auto w = cell.weights.value()->to_floats<double>(), b = cell.bias.value()->to_floats<double>();
    const auto size = static_cast<size_t>(cell.hidden), rows = static_cast<size_t>(cell.inputs);
    const std::array<size_t, 4> order{2, 0, 1, 3};  // f, i, j, o
    std::vector<double> of_x, of_h, bias;
    for (const size_t gate : order)
      for (size_t k = 0; k < size; ++k) {
        const size_t column = gate * size + k;
        for (size_t r = 0; r < rows + size; ++r) (r < rows ? of_x : of_h).push_back(w[r * 4 * size + column]);
        bias.push_back(b[column] + (gate == 2 ? cell.forget : 0));
      }
    const Context c = g.context();
    const ElementType type = cell.weights.type();
    const std::string name = cell.weights.node().name(), bias_name = cell.bias.node().name();
    return {g.create_const(name + "/input", Tensor::filled(c, type, of_x, {4 * cell.hidden, cell.inputs})).out_port(),
            g.create_const(name + "/recurrent", Tensor::filled(c, type, of_h, {4 * cell.hidden, cell.hidden})).out_port(),
            g.create_const(bias_name + "/gates", Tensor::filled(c, type, bias, {4 * cell.hidden})).out_port()};
  }

  static void fuse(const Graph& g, const Cell& cell, Made& made) {
    const Key key{cell.weights.node().id(), cell.bias.node().id(), cell.forget};
    auto found = made.find(key);
    if (found == made.end()) found = made.emplace(key, weights(g, cell)).first;
    const auto& [w, r, b] = found->second;
    const Node old = cell.next_h.node();
    const Node lstm = g.create_node("LSTMCell", "opset4", old.name(), {cell.x, cell.h, cell.c, w, r, b}, 2);
    lstm.set("hidden_size", cell.hidden);
    // The next cell of an unrolled network asks for them.
    lstm.out_port(0).set_shape(cell.next_h.type(), cell.next_h.shape());
    lstm.out_port(1).set_shape(cell.next_c.type(), cell.next_c.shape());
    take_name(old, lstm);
    copy_runtime_info({old, cell.next_c.node()}, {lstm});
    cell.next_h.get_connection().set_source(lstm.out_port(0), Names::merge);
    // The hyperbolic tangent that still reads it goes with the others.
    cell.next_c.get_connection().set_source(lstm.out_port(1), Names::merge);
  }
};

void register_fuse_lstm_cells(Registry& r) { r.transformation<FuseLstmCells>(); }

}  // namespace mo::tensorflow
