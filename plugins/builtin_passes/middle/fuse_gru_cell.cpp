// The GRU cell, written out, with its reset gate before or after the product, is GRUCell:
//   z = Sigmoid(x Wz + h Rz + bz), r = Sigmoid(x Wr + h Rr + br)
//   n = Tanh(x Wn + (r * h) Rn + bn), or Tanh(x Wn + bn + r * (h Rn + cn))
//   z * h + (1 - z) * n  ->  GRUCell(x, h, W, R, B)
#include "support/asking_sizes.hpp"
#include "support/fusion.hpp"
#include "support/gates.hpp"
#include "support/simplifying.hpp"

#include <map>

namespace mo::builtin_passes {

namespace {

struct GruParts {
  OutPort h, update, fresh;  // the gates before their functions
};

// Either order of the two inputs.
template <class F>
bool in_either_order(const Node& n, F f) {
  if (n.in_count() != 2) return false;
  const OutPort a = n.in_port(0).get_source(), b = n.in_port(1).get_source();
  return f(a, b) || f(b, a);
}

// port = 1 - z
bool is_rest_of(const OutPort& port, const OutPort& z, Nodes& inside) {
  const auto rest = made_by(port, "Subtract");
  if (!rest || number_beside(*rest, 0) != 1.0 || rest->in_port(1).get_source() != z) return false;
  inside.push_back(*rest);
  return true;
}

// n = z * h + (1 - z) * fresh
std::optional<GruParts> gru_parts(const Node& n, Nodes& inside) {
  GruParts parts;
  const bool found = in_either_order(n, [&](const OutPort& kept, const OutPort& added) {
    const auto a = made_by(kept, "Multiply"), b = made_by(added, "Multiply");
    if (!a || !b) return false;
    return in_either_order(*a, [&](const OutPort& z, const OutPort& h) {
      return in_either_order(*b, [&](const OutPort& rest, const OutPort& fresh) {
        inside.clear();
        if (!is_rest_of(rest, z, inside)) return false;
        inside.insert(inside.end(), {*a, *b});
        parts = {h, z, fresh};
        return true;
      });
    });
  });
  return found ? std::optional(parts) : std::nullopt;
}

}  // namespace

class FuseGruCell : public AskingSizes<Fusion> {
 public:
  FuseGruCell() {
    id = "middle.fuse_gru_cell";
    doc = "the GRU cell, written out, becomes GRUCell";
    before = R"(
      %x = Parameter -> f32[?,2]
      %h = Parameter -> f32[?,1]
      %w = Const -> f32[3,2] {1,2,3,4,5,6}
      %b = Const -> f32[2] {0.5,0.25}
      %axis = Const -> i64[] {1}
      %one = Const -> f32[] {1}
      %v = Const -> f32[3,1] {-1,-2,-3}
      %d = Const -> f32[1] {0.125}
      %joined = Concat@opset1 (%x, %h) {axis=1}
      %m = MatMul@opset1 (%joined, %w) {transpose_a=false, transpose_b=false}
      %s = Add@opset1 (%m, %b)
      %gates = Sigmoid@opset1 (%s)
      %g = Split@opset1 (%gates, %axis) {num_splits=2} -> (_, _)
      %reset = Multiply@opset1 (%g, %h)
      %other = Concat@opset1 (%x, %reset) {axis=1}
      %n = MatMul@opset1 (%other, %v) {transpose_a=false, transpose_b=false}
      %t = Add@opset1 (%n, %d)
      %fresh = Tanh@opset1 (%t)
      %kept = Multiply@opset1 (%g:1, %h)
      %rest = Subtract@opset1 (%one, %g:1)
      %added = Multiply@opset1 (%rest, %fresh)
      %y = Add@opset1 (%kept, %added)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[?,2]
      %h = Parameter -> f32[?,1]
      %w = Const@opset1 -> f32[3,2] {2,4,1,3,-1,-2}
      %r = Const@opset1 -> f32[3,1] {6,5,-3}
      %b = Const@opset1 -> f32[3] {0.25,0.5,0.125}
      %y = GRUCell@opset3 (%x, %h, %w, %r, %b) {hidden_size=1, linear_before_reset=false}
      Result (%y))";
    ops = {"Tanh"};
  }

 private:
  bool graph_condition(Graph g) override {
    made_.clear();
    return AskingSizes::graph_condition(g);
  }
  void fuse_at(const Graph& g, const Node& tanh) override {
    const auto product = only_reader_of(tanh.out_port());
    if (!product || !product->is("Multiply")) return;
    const auto sum = only_reader_of(product->out_port());
    if (!sum || !sum->is("Add")) return;
    const Node& n = *sum;
    Nodes inside;
    const auto parts = gru_parts(n, inside);
    if (!parts) return;
    if (parts->h.shape().rank() != 2 || !parts->h.shape()[1].is_static()) {
      near("the size of the state is not known");
      return;
    }
    for (const bool linear : {false, true}) {
      Nodes all = inside;
      std::vector<Gate> gates;
      OutPort x;
      if (!read_cell(*parts, linear, gates, x, all) || !is_alone(n, all)) continue;
      fuse(g, n, parts->h, x, linear, gates, all);
      return;
    }
    near("its gates are not all of one x and the state, by constant weights");
  }

  // Cells of one graph that have the same weights share them; in one run.
  std::map<std::pair<mo_graph, std::vector<int64_t>>, std::vector<OutPort>> made_;

  // The gate that is the sigmoid of its sum; a Split may stand before or behind the function.
  static std::optional<Gate> sigmoid_gate(const OutPort& port, int64_t size, Nodes& inside) {
    if (const auto s = made_by(port, "Sigmoid")) {
      inside.push_back(*s);
      return gate_at(s->in_port(0).get_source(), size, inside);
    }
    const Node split = port.node();
    if (!split.is("Split") && !split.is("VariadicSplit")) return std::nullopt;
    const auto s = made_by(split.in_port(0).get_source(), "Sigmoid");
    if (!s) return std::nullopt;
    inside.insert(inside.end(), {*s, split});
    return gate_at(s->in_port(0).get_source(), size, inside, port);
  }

  // z, r and n; with `linear` a fourth that r is multiplied by.
  bool read_cell(const GruParts& parts, bool linear, std::vector<Gate>& gates, OutPort& x, Nodes& inside) {
    const int64_t size = parts.h.shape()[1].value();
    const auto fresh = made_by(parts.fresh, "Tanh");
    const auto z = fresh ? sigmoid_gate(parts.update, size, inside) : std::nullopt;
    if (!z) return false;
    inside.push_back(*fresh);
    gates = {*z};
    const OutPort sum = fresh->in_port(0).get_source();
    if (linear ? !read_after(sum, parts.h, size, gates, inside)
               : !read_before(sum, parts.h, size, gates, inside))
      return false;
    // Besides h there is one x, and each gate has both.
    for (const OutPort& data : data_of(gates)) {
      if (data == parts.h) continue;
      if (x) return false;
      x = data;
    }
    if (!x || !have_same_rows(symbols_, inside, x, parts.h)) return false;
    for (size_t i = 0; i < gates.size(); ++i)
      for (const OutPort& data : {x, parts.h}) {
        size_t count = 0;
        for (const GatePart& p : gates[i].parts) count += p.data == data ? 1 : 0;
        const bool wanted = !linear || i < 2 || (i == 2) == (data == x);
        if (count != (wanted ? 1U : 0U) || gates[i].parts.front().weights.type() != x.type()) return false;
      }
    return true;
  }

  // sum = x Wn + (r * h) Rn + bn
  static bool read_before(const OutPort& sum, const OutPort& h, int64_t size, std::vector<Gate>& gates,
                          Nodes& inside) {
    auto n = gate_at(sum, size, inside);
    if (!n) return false;
    for (GatePart& p : n->parts) {
      const auto product = made_by(p.data, "Multiply");
      if (!product) continue;
      const bool found = in_either_order(*product, [&](const OutPort& r, const OutPort& state) {
        const auto gate = state == h ? sigmoid_gate(r, size, inside) : std::nullopt;
        if (gate) gates.push_back(*gate);
        return gate.has_value();
      });
      if (!found) continue;
      inside.push_back(*product);
      p.data = h;
      gates.push_back(*n);
      return true;
    }
    return false;
  }

  // sum = (x Wn + bn) + r * (h Rn + cn)
  static bool read_after(const OutPort& sum, const OutPort& h, int64_t size, std::vector<Gate>& gates,
                         Nodes& inside) {
    const auto add = made_by(sum, "Add");
    if (!add) return false;
    inside.push_back(*add);
    return in_either_order(*add, [&](const OutPort& of_x, const OutPort& reset) {
      const auto product = made_by(reset, "Multiply");
      return product && in_either_order(*product, [&](const OutPort& r, const OutPort& of_h) {
               const size_t mark = inside.size();
               const auto gate = sigmoid_gate(r, size, inside);
               const auto rest = gate ? gate_at(of_h, size, inside) : std::nullopt;
               const auto n = rest ? gate_at(of_x, size, inside) : std::nullopt;
               if (!n || rest->parts.size() != 1 || rest->parts[0].data != h) {
                 inside.resize(mark);
                 return false;
               }
               inside.push_back(*product);
               gates.insert(gates.end(), {*gate, *n, *rest});
               return true;
             });
    });
  }

  void fuse(const Graph& g, const Node& n, const OutPort& h, const OutPort& x, bool linear,
            const std::vector<Gate>& gates, const Nodes& inside) {
    const int64_t size = h.shape()[1].value();
    std::vector<int64_t> key{x.shape()[1].value(), linear ? 1 : 0};
    for (const Gate& gate : gates) {
      key.push_back(static_cast<int64_t>(gate.key.size()));
      key.insert(key.end(), gate.key.begin(), gate.key.end());
    }
    auto& w = made_[{g.id(), key}];
    if (w.empty()) {
      std::vector<Gate> three(gates.begin(), gates.begin() + 3), of_h = three;
      if (linear) of_h[2].parts = gates[3].parts;
      w = {g.create_const(n.name() + "/W", gate_weights(g.context(), three, x, size)).out_port(),
           g.create_const(n.name() + "/R", gate_weights(g.context(), of_h, h, size)).out_port(),
           g.create_const(n.name() + "/B", gate_bias(g.context(), gates, size)).out_port()};
    }
    const Node cell = g.create_node("GRUCell", "opset3", n.name() + "/GRUCell", {x, h, w[0], w[1], w[2]});
    cell.set("hidden_size", size).set("linear_before_reset", linear);
    take_place(n, cell.out_port(), inside);
  }
};

void register_fuse_gru_cell(Registry& r) { simplifying<FuseGruCell>(r, Stage::weights); }

}  // namespace mo::builtin_passes
