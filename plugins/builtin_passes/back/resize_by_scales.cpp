// A constant size is said as a multiple of what is resized, so that the model can be reshaped:
//   Interpolate(x[1,2,3,4], sizes {6, 8})  ->  Interpolate(x, scales {2, 2})
// Off unless it is switched on: what is twice as large here may as well have been meant to be 6 by 8.
#include <mo/sdk.hpp>

#include <cmath>
#include <numeric>

namespace mo::builtin_passes {

class ResizeByScales : public FrontReplacementOp {
 public:
  ResizeByScales() : FrontReplacementOp(MO_PHASE_BACK) {
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
    op = "Interpolate";
    run_after = {"back.resize_to_neighbours", "back.prefer_older_operations"};
    run_before = {"back.simplify_again"};
    force_clean_up = true;
  }
  void replace_sub_graph(Graph g, Match& m) override {
    const Node n = m["op"];
    const Tensor t = Tensor::vector<float>(g.context(), scales_of(n));
    n.in_port(n.is("opset4::Interpolate") ? 2 : 1)
        .set_source(g.create_const(n.name() + "/scales", t).out_port());
    n.set("shape_calculation_mode", "scales");
  }

 private:
  // As the runtime computes them from sizes.
  static std::vector<float> scales_of(const Node& n) {
    only_when(!n.is("opset1::Interpolate"), "Interpolate-1 knows no scales");
    only_when(n.attr<std::string>("shape_calculation_mode") == "sizes", "it is resized by scales");
    const Shape s = n.in_port(0).get_source().shape();
    only_when(n.in_node(1).is("Const"), "its sizes are computed, and follow the model's inputs as they are");
    only_when(s.has_rank(), "the rank of what is resized is not known");
    const std::vector<int64_t> sizes = n.in_port(1).value()->to_ints();
    std::vector<int64_t> axes(s.size());
    std::iota(axes.begin(), axes.end(), 0);
    if (const size_t at = n.is("opset4::Interpolate") ? 3 : 2; n.is_in_port_connected(at)) {
      only_when(n.in_node(at).is("Const"), "its axes are not known");
      axes = n.in_port(at).value()->to_ints();
    }
    only_when(axes.size() == sizes.size(), "it has ", sizes.size(), " sizes for ", axes.size(), " axes");
    std::vector<float> scales;
    for (size_t i = 0; i < axes.size(); ++i) {
      const Dim d = s[normalize_axis(axes[i], s.size())];
      only_when(d.is_static() && d.value() != 0, "dimension ", axes[i], " of ", s, " is not known");
      scales.push_back(static_cast<float>(sizes[i]) / static_cast<float>(d.value()));
      only_when(std::floor(static_cast<float>(d.value()) * scales.back()) == static_cast<float>(sizes[i]), d,
                " times ", scales.back(), " is rounded to another size than ", sizes[i]);
    }
    return scales;
  }
};

void register_resize_by_scales(Registry& r) { r.transformation<ResizeByScales>(); }

}  // namespace mo::builtin_passes
