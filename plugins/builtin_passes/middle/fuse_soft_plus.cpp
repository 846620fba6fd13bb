// SoftPlus in the way of its definition, and in the way that does not overflow:
//   Log(Exp(x) + 1), ReLU(x) + Log(Exp(-Abs(x)) + 1)  ->  SoftPlus(x)
#include "support/fusion.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

namespace {

// The argument of Exp when the port is Log(Exp(…) + 1).
std::optional<OutPort> exponent_of(const OutPort& port, Nodes& inside) {
  const auto log = made_by(port, "Log");
  const auto sum = log ? made_by(log->in_port(0).get_source(), "Add") : std::nullopt;
  if (!sum) return std::nullopt;
  for (const size_t i : {0U, 1U}) {
    const auto exp = made_by(sum->in_port(i).get_source(), "Exp");
    if (!exp || number_beside(*sum, 1 - i) != 1.0) continue;
    inside.insert(inside.end(), {*log, *sum, *exp});
    return exp->in_port(0).get_source();
  }
  return std::nullopt;
}

bool is_minus_abs(const OutPort& port, const OutPort& x, Nodes& inside) {
  LineStep line{port, 1, 0};
  while (!line.x.node().is("Abs"))
    if (inside.size() > 8 || !look_through_line(line, inside)) return false;
  inside.push_back(line.x.node());
  return line.scale == -1 && line.offset == 0 && line.x.node().in_port(0).get_source() == x;
}

}  // namespace

class FuseSoftPlus : public Fusion {
 public:
  FuseSoftPlus() {
    id = "middle.fuse_soft_plus";
    doc = "the logarithm of 1 + Exp(x) becomes SoftPlus";
    before = R"(
      %x = Parameter -> f32[1,8,4,4]
      %e = Exp@opset1 (%x)
      %one = Const -> f32[] {1}
      %s = Add@opset1 (%e, %one)
      %y = Log@opset1 (%s)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,8,4,4]
      %y = SoftPlus@opset4 (%x)
      Result (%y))";
    ops = {"Exp"};
  }

 private:
  void fuse_at(const Graph& g, const Node& start) override {
    for_each_above(start, {"Add", "Log"}, 3, [&](const Node& n) {
      Nodes inside;
      const auto x = n.is("Log") ? exponent_of(n.out_port(), inside) : of_sum(n, inside);
      if (!x) {
        if (n.is("Log") && made_by(n.in_port(0).get_source(), "Add"))
          near("what is added to Exp(x) is not 1");
        return;
      }
      if (!is_float_here(*x) || !is_alone(n, inside)) return;
      const Node made = g.create_node("SoftPlus", "opset4", n.name() + "/SoftPlus", {*x});
      take_place(n, made.out_port(), inside);
    });
  }

  static std::optional<OutPort> of_sum(const Node& n, Nodes& inside) {
    for (const size_t i : {0U, 1U}) {
      const auto relu = made_by(n.in_port(i).get_source(), "ReLU");
      if (!relu) continue;
      const OutPort x = relu->in_port(0).get_source();
      inside.push_back(*relu);
      const auto exponent = exponent_of(n.in_port(1 - i).get_source(), inside);
      if (exponent && is_minus_abs(*exponent, x, inside)) return x;
      inside.clear();
    }
    return std::nullopt;
  }
};

void register_fuse_soft_plus(Registry& r) { simplifying<FuseSoftPlus>(r, Stage::fuse); }

}  // namespace mo::builtin_passes
