// For releases without Interpolate-11:
//   Interpolate-11(x, sizes or scales, axes)  ->  Interpolate-4(x, sizes, scales, axes)
#include "support/lowering.hpp"

#include <numeric>

namespace mo::builtin_passes {

class LowerInterpolate : public Lowering {
 public:
  LowerInterpolate() {
    id = "back.lower_interpolate";
    doc = "Interpolate-4 for releases without Interpolate-11";
    before = R"(
      %x = Parameter -> f32[1,2,3,4]
      %sizes = Const -> i64[2] {6,8}
      %axes = Const -> i64[2] {2,3}
      %y = Interpolate@opset11 (%x, %sizes, %axes) {mode="nearest", shape_calculation_mode="sizes"}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,2,3,4]
      %sizes = Const -> i64[2] {6,8}
      %scales = Const -> f32[2] {2,2}
      %axes = Const -> i64[2] {2,3}
      %y = Interpolate@opset4 (%x, %sizes, %scales, %axes) {mode="nearest", shape_calculation_mode="sizes"}
      Result (%y))";
    lowers("Interpolate", {11});
  }

 private:
  // Version 4 wants both; the one that is not asked for is not looked at.
  Ports lower(const Build& b, const Node& n) override {
    const auto mode = n.attr<std::string>("mode");
    const Shape in = b.in(0).shape(), out = n.out_port().shape();
    only_when(mode != "bilinear_pillow" && mode != "bicubic_pillow", "Interpolate-4 has no mode ", mode);
    only_when(in.has_rank(), "the rank of what is resized is not known");
    Ints axes(in.size());
    std::iota(axes.begin(), axes.end(), 0);
    if (b.has(2)) {
      const auto known = b.ints(2);
      only_when(known.has_value(), "its axes are not known");
      axes = *known;
    }
    Ints sizes;
    std::vector<double> scales;
    for (const int64_t axis : axes) {
      const size_t a = normalize_axis(axis, in.size());
      const bool known = in[a].is_static() && out.has_rank() && out[a].is_static() && in[a] != Dim(0);
      sizes.push_back(known ? out[a].value() : 1);
      scales.push_back(known ? static_cast<double>(out[a].value()) / static_cast<double>(in[a].value()) : 1);
    }
    const bool by_sizes = n.attr<std::string>("shape_calculation_mode") == "sizes";
    const Ints length{static_cast<int64_t>(axes.size())};
    const OutPort factors = b.constant(Tensor::filled(b.context(), ElementType::f32, scales, length));
    const OutPort axes_input = b.has(2) ? b.in(2) : OutPort();
    const OutPort given = b.in(1);
    while (n.in_count() < (axes_input ? 4 : 3)) n.add_input_port();
    n.in_port(1).set_source(by_sizes ? b.convert(given, ElementType::i64) : b.list(sizes));
    n.in_port(2).set_source(by_sizes ? factors : given);
    if (axes_input) n.in_port(3).set_source(axes_input);
    return as_older(n, "opset4", {});
  }
};

void register_lower_interpolate(Registry& r) { r.transformation<LowerInterpolate>(); }

}  // namespace mo::builtin_passes
