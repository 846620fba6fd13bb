// HSwish however its product is written:
//   x * Clamp(x + 3, 0, 6) / 6, (x / 6) * Clamp(x + 3, 0, 6), x * HSigmoid(x)  ->  HSwish(x)
#include "support/fusion.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class FuseHswish : public Fusion {
 public:
  FuseHswish() {
    id = "middle.fuse_hswish";
    doc = "HSwish in all its spellings becomes one operation";
    before = R"(
      %x = Parameter -> f32[1,8,4,4]
      %three = Const -> f32[] {3}
      %a = Add@opset1 (%x, %three)
      %c = Clamp@opset1 (%a) {min=0.0, max=6.0}
      %m = Multiply@opset1 (%x, %c)
      %six = Const -> f32[] {6}
      %y = Divide@opset1 (%m, %six)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,8,4,4]
      %y = HSwish@opset4 (%x)
      Result (%y))";
    run_after.push_back("middle.fuse_hsigmoid");
    ops = {"Clamp", "HSigmoid"};
  }

 private:
  void fuse_at(const Graph& g, const Node& start) override {
    for_each_above(start, {"Multiply", "Divide"}, 3, [&](const Node& n) {
      Nodes inside;
      const OutPort x = factor(n, inside);
      if (!x || !is_float_here(x) || !is_alone(n, inside)) return;
      const Node made = g.create_node("HSwish", "opset4", n.name() + "/HSwish", {x});
      take_place(n, made.out_port(), inside);
    });
  }

  OutPort factor(const Node& n, Nodes& inside) {
    const Product p = product_of(n, inside);
    if (p.factors.size() != 2) return {};
    for (const size_t i : {0U, 1U}) {
      const size_t mark = inside.size();
      if (is_limited(p.factors[1 - i], p.factors[i], p.scale, inside)) return p.factors[i];
      inside.resize(mark);
    }
    return {};
  }

  bool is_limited(const OutPort& port, const OutPort& x, double scale, Nodes& inside) {
    if (const auto h = made_by(port, "HSigmoid")) {
      inside.push_back(*h);
      return is_about(scale, 1) && h->in_port(0).get_source() == x;
    }
    const auto clamp = made_by(port, "Clamp");
    if (!clamp || clamp->attr<double>("min") != 0 || !is_about(scale * clamp->attr<double>("max"), 1))
      return false;
    inside.push_back(*clamp);
    const auto line = polynomial_of(clamp->in_port(0).get_source(), x, inside);
    if (!line) return false;
    return is_about(*line, {0.5 / scale, 1.0 / 6 / scale, 0, 0}) ||
           near("what is multiplied by x is ", (*line)[1] * scale, " x + ", (*line)[0] * scale,
                "; HSwish has x / 6 + 0.5");
  }
};

void register_fuse_hswish(Registry& r) { simplifying<FuseHswish>(r, Stage::fuse); }

}  // namespace mo::builtin_passes
