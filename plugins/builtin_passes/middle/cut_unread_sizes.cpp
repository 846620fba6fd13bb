// An Interpolate reads its sizes or its scales, as shape_calculation_mode says; the other ones need not be computed:
//   Interpolate(x, sizes(y), scales) by scales  ->  Interpolate(x, {1, 1, ...}, scales)
#include <mo/sdk.hpp>

namespace mo::builtin_passes {

class CutUnreadSizes : public MatcherPass {
 public:
  CutUnreadSizes() {
    id = "middle.cut_unread_sizes";
    doc =
        "sizes of an Interpolate that goes by scales, and scales of one that goes by sizes, are not computed";
    before = R"(
      %x = Parameter -> f32[1,2,3,4]
      %sizes = Parameter -> i64[4]
      %two = Const -> i64[] {2}
      %more = Multiply@opset1 (%sizes, %two)
      %scales = Const -> f32[4] {1,1,2,2}
      %y = Interpolate@opset4 (%x, %more, %scales) {mode="cubic", shape_calculation_mode="scales"}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,2,3,4]
      %sizes = Parameter -> i64[4]
      %none = Const@opset1 -> i64[4] {1,1,1,1}
      %scales = Const@opset1 -> f32[4] {1,1,2,2}
      %y = Interpolate@opset4 (%x, %none, %scales) {mode="cubic", shape_calculation_mode="scales"}
      Result (%y))";
    run_before = {"middle.narrow_interpolate"};
    force_clean_up = true;
    register_matcher(wrap_type({"opset4::Interpolate"}),
                     [](const Graph& g, const Match& m) { cut(g, m.root()); });
  }

 private:
  static void cut(const Graph& g, const Node& n) {
    const bool by_scales = n.attr<std::string>("shape_calculation_mode") == "scales";
    const InPort unread = n.in_port(by_scales ? 1 : 2);
    only_when(!unread.get_source().node().is("Const"), "what is not read is a constant already");
    const Shape length = unread.get_source().shape();
    only_when(length.size() == 1 && length[0].is_static(), "how many ", by_scales ? "sizes" : "scales",
              " there are is not known");
    const auto count = static_cast<size_t>(length[0].value());
    const std::string name = n.name() + "/unread";
    const ElementType type = unread.get_source().type();
    const std::vector<int64_t> dims{static_cast<int64_t>(count)};
    unread.set_source(
        g.create_const(name, Tensor::filled(g.context(), type, std::vector<double>(count, 1), dims))
            .out_port());
  }
};

void register_cut_unread_sizes(Registry& r) { r.transformation<CutUnreadSizes>(); }

}  // namespace mo::builtin_passes
