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
    if (mode == "bilinear_pillow" || mode == "bicubic_pillow" || !in.has_rank()) return {};
    Ints axes(in.size());
    std::iota(axes.begin(), axes.end(), 0);
    if (b.has(2)) {
      const auto known = b.ints(2);
      if (!known) return {};
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
    Ports inputs{b.in(0), by_sizes ? b.convert(b.in(1), ElementType::i64) : b.list(sizes),
                 by_sizes ? factors : b.in(1)};
    if (b.has(2)) inputs.push_back(b.in(2));
    const Node older = b.node("Interpolate", "opset4", inputs);
    for (const char* name :
         {"mode", "shape_calculation_mode", "coordinate_transformation_mode", "nearest_mode"})
      if (const auto value = n.find_attr<std::string>(name)) older.set(name, *value);
    for (const char* name : {"pads_begin", "pads_end"})
      if (const auto value = n.find_attr<Ints>(name)) older.set(name, *value);
    older.set("antialias", n.attr("antialias", false)).set("cube_coeff", n.attr("cube_coeff", -0.75));
    return {older.out_port()};
  }
};

void register_lower_interpolate(Registry& r) { r.transformation<LowerInterpolate>(); }

}  // namespace mo::builtin_passes
