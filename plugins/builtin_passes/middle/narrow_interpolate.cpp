// An Interpolate over all dimensions is limited to those that change:
//   Interpolate(x, sizes, scales)  ->  Interpolate(x, sizes', scales', axes)
#include <mo/sdk.hpp>

#include "support/asking_sizes.hpp"

#include <numeric>

namespace mo::builtin_passes {

class NarrowInterpolate : public AskingSizes<MatcherPass> {
 public:
  NarrowInterpolate() {
    id = "middle.narrow_interpolate";
    doc = "an Interpolate over all dimensions is limited to those that change";
    before = R"(
      %x = Parameter -> f32[1,2,3,4]
      %sizes = Const -> i64[4] {1,2,6,8}
      %scales = Const -> f32[4] {1,1,2,2}
      %y = Interpolate@opset4 (%x, %sizes, %scales) {mode="nearest", shape_calculation_mode="scales"}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,2,3,4]
      %few = Const@opset1 -> i64[2] {6,8}
      %factors = Const@opset1 -> f32[2] {2,2}
      %axes = Const@opset1 -> i64[2] {2,3}
      %y = Interpolate@opset4 (%x, %few, %factors, %axes) {mode="nearest", shape_calculation_mode="scales"}
      Result (%y))";
    run_after = {"middle.fold_ranks"};
    force_clean_up = true;
    register_matcher(wrap_type({"opset4::Interpolate"}, {any_input(), any_input(), any_input()}),
                     [this](const Graph& g, const Match& m) {
                       if (m.root().in_count() == 3) narrow(g, m.root(), symbols_);
                     });
  }

 private:
  // The dimensions of which it is not certain that they stay, whatever the shape of x will be.
  static std::vector<int64_t> axes_of(const Node& n, SymbolsOf& symbols) {
    const OutPort x = n.in_port(0).get_source();
    const Shape in = x.shape(), out = n.out_port().shape();
    const bool by_scales = n.attr<std::string>("shape_calculation_mode") == "scales";
    const auto scales = by_scales ? n.in_port(2).get_source().value() : std::nullopt;
    const auto sizes = by_scales ? std::nullopt : symbols.values(n.in_port(1).get_source());
    const auto dims = symbols.dims(x);
    const auto stays = [&](size_t i) {
      if (scales && scales->size() == in.size()) return scales->number(i) == 1;
      if (sizes && dims && sizes->size() == in.size() && (*sizes)[i] == (*dims)[i]) return true;
      return out.size() == in.size() && in[i].is_static() && in[i] == out[i];
    };
    std::vector<int64_t> axes;
    for (size_t i = 0; i < in.size(); ++i)
      if (!stays(i)) axes.push_back(static_cast<int64_t>(i));
    return axes;
  }

  static OutPort chosen(const Graph& g, const Node& n, const OutPort& list,
                        const std::vector<int64_t>& axes) {
    const std::string name = n.name() + "/of_axes";
    const Node indices = g.create_ints(name + "/indices", axes);
    const Node zero = g.create_int(name + "/axis", 0);
    return g.create_node("Gather", "opset1", name, {list, indices.out_port(), zero.out_port()}).out_port();
  }

  static void narrow(const Graph& g, const Node& n, SymbolsOf& symbols) {
    const Shape x = n.in_port(0).get_source().shape();
    if (!x.has_rank()) return;
    auto axes = axes_of(n, symbols);
    if (axes.empty()) axes.push_back(x.rank() - 1);
    // OpenVINO interpolates in this mode over all dimensions or over all spatial ones.
    if (n.attr<std::string>("mode") == "linear_onnx") {
      only_when(x.size() >= 4 && axes.front() >= 2,
                "in mode linear_onnx it is about all dimensions from the third "
                "on, or about all; ",
                x, " has dimension ", axes.front(), " among those that change");
      axes.resize(x.size() - 2);
      std::iota(axes.begin(), axes.end(), 2);
    }
    only_when(axes.size() != x.size(), "all dimensions of ", x, " may change");
    for (const size_t i : {1, 2}) n.in_port(i).set_source(chosen(g, n, n.in_port(i).get_source(), axes));
    n.add_input_port().set_source(g.create_ints(n.name() + "/axes", axes).out_port());
  }
};

void register_narrow_interpolate(Registry& r) { r.transformation<NarrowInterpolate>(); }

}  // namespace mo::builtin_passes
