// A constant size is said as a multiple of what is resized, so that the model can be reshaped:
//   Interpolate(x[1,2,3,4], sizes {6, 8})  ->  Interpolate(x, scales {2, 2})
// Off unless it is switched on: what is twice as large here may as well have been meant to be 6 by 8.
#include "support/eliminate.hpp"

#include <mo/sdk.hpp>

#include <cmath>
#include <numeric>

namespace mo::builtin_passes {

class ResizeByScales : public ModelPass {
 public:
  ResizeByScales() : ModelPass(MO_PHASE_BACK) {
    id = "back.resize_by_scales";
    doc = "an Interpolate to a constant size has the same factors for inputs of other sizes";
    enabled = false;
    before = R"(
      %x = Parameter -> f32[1,2,3,4]
      %sizes = Const -> i64[2] {6,8}
      %scales = Const -> f32[2] {1,1}
      %axes = Const -> i64[2] {2,3}
      %y = Interpolate@opset4 (%x, %sizes, %scales, %axes) {mode="nearest", shape_calculation_mode="sizes"}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,2,3,4]
      %sizes = Const -> i64[2] {6,8}
      %scales = Const -> f32[2] {2,2}
      %axes = Const -> i64[2] {2,3}
      %y = Interpolate@opset4 (%x, %sizes, %scales, %axes) {mode="nearest", shape_calculation_mode="scales"}
      Result (%y))";
    run_after = {"back.resize_to_neighbours", "back.prefer_older_operations"};
    run_before = {"back.simplify_again"};
    force_clean_up = true;
  }
  void run_on_model(Graph g) override {
    for (const Node& n : g.get_op_nodes("Interpolate"))
      if (const auto scales = scales_of(n)) {
        const size_t at = n.opset() == "opset4" ? 2 : 1;
        const Tensor t = Tensor::vector<float>(g.context(), *scales);
        n.in_port(at).set_source(g.create_const(n.name() + "/scales", t).out_port());
        n.set("shape_calculation_mode", "scales");
      }
  }

 private:
  // As the runtime computes them from sizes; none where its rounding would give other sizes back.
  static std::optional<std::vector<float>> scales_of(const Node& n) {
    const bool has_scales = n.opset() == "opset4";
    if (n.opset() == "opset1" || n.attr<std::string>("shape_calculation_mode") != "sizes")
      return std::nullopt;
    const Shape s = n.in_port(0).get_source().shape();
    if (n.in_node(1).op() != "Const" || !s.has_rank()) return std::nullopt;
    const std::vector<int64_t> sizes = n.in_port(1).value()->to_ints();
    std::vector<int64_t> axes(s.size());
    std::iota(axes.begin(), axes.end(), 0);
    if (const size_t at = has_scales ? 3 : 2; n.is_in_port_connected(at)) {
      if (n.in_node(at).op() != "Const") return std::nullopt;
      axes = n.in_port(at).value()->to_ints();
    }
    if (axes.size() != sizes.size()) return std::nullopt;
    std::vector<float> scales;
    for (size_t i = 0; i < axes.size(); ++i) {
      const Dim d = s[normalize_axis(axes[i], s.size())];
      if (!d.is_static() || d.value() == 0) return std::nullopt;
      scales.push_back(static_cast<float>(sizes[i]) / static_cast<float>(d.value()));
      if (std::floor(static_cast<float>(d.value()) * scales.back()) != static_cast<float>(sizes[i]))
        return std::nullopt;
    }
    return scales;
  }
};

void register_resize_by_scales(Registry& r) { r.transformation<ResizeByScales>(); }

}  // namespace mo::builtin_passes
