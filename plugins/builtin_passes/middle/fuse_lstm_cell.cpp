// The LSTM cell, written out, is LSTMCell, whichever way its gates are cut out of products with weights:
//   c' = c * Sigmoid(f) + Sigmoid(i) * Tanh(j),  h' = Tanh(c') * Sigmoid(o)  ->  LSTMCell(x, h, c, W, R, B)
#include "support/asking_sizes.hpp"
#include "support/fuse_transposes.hpp"
#include "support/fusion.hpp"
#include "support/gates.hpp"
#include "support/simplifying.hpp"

#include <map>

namespace mo::builtin_passes {

namespace {

// The parts of a cell: c', and what the functions are applied to.
struct LstmParts {
  Node sum;
  OutPort c, forget, input, fresh, output;
};

// The inputs of a product or sum, one made by `op`.
template <class F>
bool with_function(const Node& n, std::string_view op, F f) {
  for (const size_t i : {0U, 1U}) {
    const auto function = made_by(n.in_port(i).get_source(), op);
    if (function && f(*function, n.in_port(1 - i).get_source())) return true;
  }
  return false;
}

// Inputs of functions behind a Split are not looked for: exporters split before them.
bool lstm_parts(const Node& product, LstmParts& parts, Nodes& inside) {
  return with_function(product, "Tanh", [&](const Node& tanh, const OutPort& gate) {
    const auto o = made_by(gate, "Sigmoid");
    const auto sum = made_by(tanh.in_port(0).get_source(), "Add");
    if (!o || !sum) return false;
    parts.sum = *sum;
    parts.output = o->in_port(0).get_source();
    return with_function(*sum, "Multiply", [&](const Node& kept, const OutPort& rest) {
      const auto added = made_by(rest, "Multiply");
      return added && with_function(kept, "Sigmoid", [&](const Node& f, const OutPort& c) {
               return with_function(*added, "Tanh", [&](const Node& j, const OutPort& other) {
                 const auto i = made_by(other, "Sigmoid");
                 if (!i) return false;
                 parts.c = c;
                 parts.forget = f.in_port(0).get_source();
                 parts.input = i->in_port(0).get_source();
                 parts.fresh = j.in_port(0).get_source();
                 inside = {tanh, *o, *sum, kept, *added, f, j, *i};
                 return true;
               });
             });
    });
  });
}

struct LstmInputs {
  std::vector<Gate> gates;  // f, i, c, o
  OutPort x, h;
};

std::optional<LstmInputs> lstm_inputs(SymbolsOf& symbols, const LstmParts& parts, Nodes& inside) {
  const Shape c = parts.c.shape();
  if (c.rank() != 2 || !c[1].is_static()) return std::nullopt;
  LstmInputs found;
  for (const OutPort& port : {parts.forget, parts.input, parts.fresh, parts.output}) {
    auto gate = gate_at(port, c[1].value(), inside);
    if (!gate) return std::nullopt;
    found.gates.push_back(*gate);
  }
  const auto data = data_of(found.gates);
  if (data.size() != 2) return std::nullopt;
  const size_t h = data[1].shape()[1] == c[1] ? 1 : 0;
  found.x = data[1 - h];
  found.h = data[h];
  // Each input has the batch's size: nothing is repeated for it.
  if (found.h.shape()[1] != c[1] || !have_same_rows(symbols, inside, found.h, parts.c) ||
      !have_same_rows(symbols, inside, found.x, found.h))
    return std::nullopt;
  for (const Gate& gate : found.gates)
    if (gate.parts.size() != 2 || gate.parts[0].data == gate.parts[1].data ||
        gate.parts[0].weights.type() != found.x.type() || gate.parts[1].weights.type() != found.x.type())
      return std::nullopt;
  return found;
}

}  // namespace

class FuseLstmCell : public AskingSizes<Fusion> {
 public:
  FuseLstmCell() {
    id = "middle.fuse_lstm_cell";
    doc = "the LSTM cell, written out, becomes LSTMCell";
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
    ops = {"Tanh"};
  }

 private:
  bool graph_condition(Graph g) override {
    made_.clear();
    return AskingSizes::graph_condition(g);
  }
  void fuse_at(const Graph& g, const Node& tanh) override {
    const auto reader = only_reader_of(tanh.out_port());
    if (!reader || !reader->is("Multiply") || !tanh.in_node(0).is("Add")) return;
    const Node& n = *reader;
    LstmParts parts;
    Nodes inside;
    if (!lstm_parts(n, parts, inside)) return;
    const auto inputs = lstm_inputs(symbols_, parts, inside);
    if (!inputs) {
      near("its gates are not all of one x and one state for the same batch, by constant weights");
      return;
    }
    // c' is an output of the cell, too.
    Nodes hidden;
    for (const Node& i : inside)
      if (i != parts.sum) hidden.push_back(i);
    hidden.push_back(n);
    if (is_alone(parts.sum, hidden, n)) fuse(g, n, parts, *inputs, hidden);
  }

  // Cells of one graph that have the same weights share them; in one run.
  std::map<std::pair<mo_graph, std::vector<int64_t>>, std::vector<OutPort>> made_;

  const std::vector<OutPort>& weights_for(const Graph& g, const Node& n, const LstmInputs& in, int64_t size) {
    std::vector<int64_t> key{in.x.shape()[1].value()};
    for (const Gate& gate : in.gates) {
      key.push_back(static_cast<int64_t>(gate.key.size()));
      key.insert(key.end(), gate.key.begin(), gate.key.end());
    }
    auto& w = made_[{g.id(), key}];
    if (w.empty())
      w = {g.create_const(n.name() + "/W", gate_weights(g.context(), in.gates, in.x, size)).out_port(),
           g.create_const(n.name() + "/R", gate_weights(g.context(), in.gates, in.h, size)).out_port(),
           g.create_const(n.name() + "/B", gate_bias(g.context(), in.gates, size)).out_port()};
    return w;
  }

  void fuse(const Graph& g, const Node& n, const LstmParts& p, const LstmInputs& in, const Nodes& inside) {
    const int64_t size = p.c.shape()[1].value();
    const auto& w = weights_for(g, n, in, size);
    const Node cell =
        g.create_node("LSTMCell", "opset4", n.name() + "/LSTMCell", {in.x, in.h, p.c, w[0], w[1], w[2]}, 2);
    cell.set("hidden_size", size);
    const OutPort was = p.sum.out_port(), is = cell.out_port(1);
    is.set_shape(was.type(), was.shape());
    for (const InPort& reader : was.get_destinations()) reader.set_source(is);
    give_tensor_names(was, is);
    Nodes all = inside;
    all.push_back(p.sum);
    take_place(n, cell.out_port(0), all);
  }
};

void register_fuse_lstm_cell(Registry& r) { simplifying<FuseLstmCell>(r, Stage::weights); }

}  // namespace mo::builtin_passes
