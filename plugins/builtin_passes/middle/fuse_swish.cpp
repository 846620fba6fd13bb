// Swish, with and without its beta:
//   x * Sigmoid(beta * x), x / (1 + Exp(-beta * x))  ->  Swish(x, beta)
#include "support/fusion.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class FuseSwish : public Fusion {
 public:
  FuseSwish() {
    id = "middle.fuse_swish";
    doc = "x * Sigmoid(beta * x) becomes Swish";
    before = R"(
      %x = Parameter -> f32[1,8,4,4]
      %beta = Const -> f32[] {1.5}
      %b = Multiply@opset1 (%x, %beta)
      %s = Sigmoid@opset1 (%b)
      %y = Multiply@opset1 (%x, %s)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,8,4,4]
      %beta = Const@opset1 -> f32[] {1.5}
      %y = Swish@opset4 (%x, %beta)
      Result (%y))";
    ops = {"Sigmoid", "Exp"};
  }

 private:
  void fuse_at(const Graph& g, const Node& start) override {
    if (start.is("Exp"))
      return for_each_above(start, {"Add", "Divide"}, 2, [&](const Node& n) { fuse(g, n); });
    const auto reader = only_reader_of(start.out_port());
    if (!reader || !reader->is("Multiply") || reader->in_count() != 2) return;
    // x itself, or a multiple of it
    const OutPort in = start.in_port(0).get_source();
    const bool is_x = reader->in_port(0).get_source() == in || reader->in_port(1).get_source() == in;
    if (is_x || in.node().is("Negative") || has_constant(in.node())) fuse(g, *reader);
  }

  void fuse(const Graph& g, const Node& n) {
    Nodes inside;
    const auto found = n.is("Multiply") ? of_product(n, inside) : of_quotient(n, inside);
    if (!found || !is_float_here(found->x) || !is_alone(n, inside)) return;
    std::vector<OutPort> inputs{found->x};
    if (found->beta != 1) {
      const Tensor beta = Tensor::filled(g.context(), found->x.type(), {found->beta}, {});
      inputs.push_back(g.create_const(n.name() + "/beta", beta).out_port());
    }
    const Node made = g.create_node("Swish", "opset4", n.name() + "/Swish", inputs);
    take_place(n, made.out_port(), inside);
  }

  struct Found {
    OutPort x;
    double beta;
  };

  // How many times x the port is; 0 when it is something else.
  double multiple_of(const OutPort& port, const OutPort& x, Nodes& inside) {
    LineStep line{port, 1, 0};
    for (int i = 0; i < 4; ++i) {
      if (line.x == x && line.offset != 0) near("Sigmoid is of x plus ", line.offset, "; Swish adds nothing");
      if (line.x == x) return line.offset == 0 ? line.scale : 0;
      if (!look_through_line(line, inside)) return 0;
    }
    return 0;
  }

  std::optional<Found> of_product(const Node& n, Nodes& inside) {
    for (const size_t i : {0U, 1U}) {
      const OutPort x = n.in_port(i).get_source();
      const auto sigmoid = made_by(n.in_port(1 - i).get_source(), "Sigmoid");
      if (!sigmoid) continue;
      const size_t mark = inside.size();
      inside.push_back(*sigmoid);
      const double beta = multiple_of(sigmoid->in_port(0).get_source(), x, inside);
      if (beta > 0) return Found{x, beta};
      inside.resize(mark);
      if (beta < 0) near("x is multiplied by ", beta, " before Sigmoid; the beta of Swish is above 0");
    }
    return std::nullopt;
  }

  std::optional<Found> of_quotient(const Node& n, Nodes& inside) {
    if (!n.is("Divide")) return std::nullopt;
    const OutPort x = n.in_port(0).get_source();
    const auto sum = made_by(n.in_port(1).get_source(), "Add");
    if (!sum) return std::nullopt;
    for (const size_t i : {0U, 1U}) {
      const auto exp = made_by(sum->in_port(i).get_source(), "Exp");
      if (!exp || number_beside(*sum, 1 - i) != 1.0) continue;
      const size_t mark = inside.size();
      inside.insert(inside.end(), {*sum, *exp});
      const double beta = multiple_of(exp->in_port(0).get_source(), x, inside);
      if (beta < 0) return Found{x, -beta};
      inside.resize(mark);
    }
    return std::nullopt;
  }
};

void register_fuse_swish(Registry& r) { simplifying<FuseSwish>(r, Stage::fuse); }

}  // namespace mo::builtin_passes
