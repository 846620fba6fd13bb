// A line between two limits that rises by 1/6 and is 0.5 at 0, between 0 and 1, is HSigmoid:
//   Clamp(x + 3, 0, 6) / 6, Clamp(x / 6 + 0.5, 0, 1), HardSigmoid(x, 1/6, 0.5)  ->  HSigmoid(x)
#include "support/fusion.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class FuseHsigmoid : public Fusion {
 public:
  FuseHsigmoid() {
    id = "middle.fuse_hsigmoid";
    doc = "HSigmoid in all its spellings becomes one operation";
    before = R"(
      %x = Parameter -> f32[1,8,4,4]
      %three = Const -> f32[] {3}
      %a = Add@opset1 (%x, %three)
      %c = Clamp@opset1 (%a) {min=0.0, max=6.0}
      %six = Const -> f32[] {6}
      %y = Divide@opset1 (%c, %six)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,8,4,4]
      %y = HSigmoid@opset5 (%x)
      Result (%y))";
    ops = {"Clamp", "HardSigmoid"};
  }

 private:
  void fuse_at(const Graph& g, const Node& start) override {
    const auto fuse = [&](const Node& n) {
      if (is_gone(start)) return;
      Nodes inside;
      const OutPort x = n.is("HardSigmoid") ? of_hard_sigmoid(n) : of_clamp(n, inside);
      if (!x || !is_float_here(x) || !is_alone(n, inside)) return;
      const Node made = g.create_node("HSigmoid", "opset5", n.name() + "/HSigmoid", {x});
      take_place(n, made.out_port(), inside);
    };
    if (start.is("Clamp")) for_each_above(start, {"Multiply", "Divide"}, 2, fuse);
    fuse(start);
  }

  OutPort of_hard_sigmoid(const Node& n) {
    const auto alpha = single_number(n.in_port(1).get_source()),
               beta = single_number(n.in_port(2).get_source());
    if (!alpha || !beta) return {};
    if (!is_about(*alpha, 1.0 / 6) || !is_about(*beta, 0.5)) {
      near("its slope is ", *alpha, " and its shift ", *beta, "; HSigmoid has 1/6 and 0.5");
      return {};
    }
    return n.in_port(0).get_source();
  }

  OutPort of_clamp(const Node& n, Nodes& inside) {
    Product p{1, {n.out_port()}};
    if (!n.is("Clamp")) p = product_of(n, inside);
    if (p.factors.size() != 1) return {};
    const auto clamp = made_by(p.factors[0], "Clamp");
    if (!clamp || !is_about(p.scale * clamp->attr<double>("max"), 1) || clamp->attr<double>("min") != 0)
      return {};
    if (*clamp != n) inside.push_back(*clamp);
    LineStep line{clamp->in_port(0).get_source(), 1, 0};
    for (int i = 0; i < 4 && look_through_line(line, inside); ++i)
      if (is_about(p.scale * line.scale, 1.0 / 6) && is_about(p.scale * line.offset, 0.5)) return line.x;
    if (line.scale != 1 || line.offset != 0)
      near("between its limits it is ", p.scale * line.scale, " x + ", p.scale * line.offset,
           "; HSigmoid is x / 6 + 0.5");
    return {};
  }
};

void register_fuse_hsigmoid(Registry& r) { simplifying<FuseHsigmoid>(r, Stage::fuse); }

}  // namespace mo::builtin_passes
