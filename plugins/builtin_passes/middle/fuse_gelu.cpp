// Gelu, exact and approximated, wherever its factors stand:
//   0.5 * x * (1 + Erf(x / sqrt(2)))                                ->  Gelu(x)
//   0.5 * x * (1 - Erf(-x / sqrt(2)))                               ->  Gelu(x)
//   0.5 * x * (1 + Tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))       ->  Gelu(x, tanh)
#include "support/fusion.hpp"
#include "support/simplifying.hpp"
#include "support/target.hpp"

#include <cmath>

namespace mo::builtin_passes {

class FuseGelu : public Fusion {
 public:
  FuseGelu() {
    id = "middle.fuse_gelu";
    doc = "Gelu with Erf or Tanh in all its spellings becomes one operation";
    before = R"(
      %x = Parameter -> f32[2,16]
      %root = Const -> f32[] {1.4142135}
      %d = Divide@opset1 (%x, %root)
      %e = Erf@opset1 (%d)
      %one = Const -> f32[] {1}
      %s = Add@opset1 (%e, %one)
      %m = Multiply@opset1 (%x, %s)
      %half = Const -> f32[] {0.5}
      %y = Multiply@opset1 (%m, %half)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,16]
      %y = Gelu@opset7 (%x) {approximation_mode="erf"}
      Result (%y))";
    ops = {"Erf", "Tanh"};
  }

 private:
  void fuse_at(const Graph& g, const Node& start) override {
    const auto reader = only_reader_of(start.out_port());
    if (!reader || !has_constant(*reader)) return;
    if (!number_beside(*reader, 1) && !number_beside(*reader, 0)) return;
    for_each_above(start, {"Multiply", "Divide", "Add", "Subtract"}, 5, [&](const Node& n) { fuse(g, n); });
  }

  void fuse(const Graph& g, const Node& n) {
    if (n.in_count() != 2 || (!n.is("Multiply") && !n.is("Divide"))) return;
    Nodes inside;
    const Product p = product_of(n, inside);
    if (p.factors.size() != 2) return;
    for (const size_t i : {0U, 1U}) {
      const size_t mark = inside.size();
      const OutPort x = p.factors[i];
      const std::string_view mode = share_of(p.factors[1 - i], x, p.scale, inside);
      if (mode == "tanh" && writes_version_10(g)) return;  // back.lower_gelu says why
      if (!mode.empty() && is_float_here(x) && is_alone(n, inside)) {
        const Node made = g.create_node("Gelu", "opset7", n.name() + "/Gelu", {x});
        made.set("approximation_mode", mode);
        take_place(n, made.out_port(), inside);
        return;
      }
      inside.resize(mark);
    }
  }

  // scale * port is the share of the normal distribution below x: "erf", "tanh" or nothing.
  std::string_view share_of(const OutPort& port, const OutPort& x, double scale, Nodes& inside) {
    LineStep line{port, 1, 0};
    for (int i = 0; i < 4 && look_through_line(line, inside); ++i) {
      const Node n = line.x.node();
      const std::string type = n.op_name();
      if (type != "Erf" && type != "Tanh") continue;
      // Both functions are odd: two signs, of the argument and before the result, are none.
      const double sign = scale * line.scale < 0 ? -1 : 1;
      if (!is_about(sign * scale * line.scale, 0.5) || !is_about(scale * line.offset, 0.5)) {
        near("it is ", scale * line.offset, " + ", scale * line.scale, " * ", type,
             "(…) of x; GELU is 0.5 of both");
        return {};
      }
      inside.push_back(n);
      const auto argument = polynomial_of(n.in_port(0).get_source(), x, inside);
      const double linear = sign * (type == "Erf" ? std::sqrt(0.5) : std::sqrt(2 / std::acos(-1.0)));
      const double cubic = type == "Erf" ? 0 : 0.044715 * linear;
      if (!argument) return {};
      if (!is_about(*argument, {0, linear, 0, cubic})) {
        near("x is multiplied by ", (*argument)[1], " before ", type, "; GELU has ", linear);
        return {};
      }
      return type == "Erf" ? "erf" : "tanh";
    }
    return {};
  }
};

void register_fuse_gelu(Registry& r) { simplifying<FuseGelu>(r, Stage::fuse); }

}  // namespace mo::builtin_passes
