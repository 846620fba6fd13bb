// An Interpolate over all dimensions is limited to those that change:
//   Interpolate(x, sizes, scales)  ->  Interpolate(x, sizes', scales', axes)
#include <mo/sdk.hpp>

namespace mo::builtin_passes {

class NarrowInterpolate : public ModelPass {
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
  }
  void run_on_model(Graph g) override {
    for (const Node& n : g.get_op_nodes("Interpolate"))
      if (n.opset() == "opset4" && n.in_count() == 3) narrow(g, n);
  }

 private:
  enum class Change { no, yes, maybe };

  static std::vector<Change> changes(const Node& n) {
    const Shape x = n.in_port(0).get_source().shape(), y = n.out_port().shape();
    const bool by_scales = n.attr<std::string>("shape_calculation_mode") == "scales";
    const auto scales = by_scales ? n.in_port(2).get_source().value() : std::nullopt;
    std::vector<Change> list;
    for (size_t i = 0; i < x.size(); ++i) {
      if (scales && scales->size() == x.size())
        list.push_back(scales->number(i) == 1 ? Change::no : Change::yes);
      else if (y.size() == x.size() && x[i].is_static() && y[i].is_static())
        list.push_back(x[i] == y[i] ? Change::no : Change::yes);
      else
        list.push_back(Change::maybe);
    }
    return list;
  }

  // Batch and channels are hardly ever resized, and but for nearest a runtime resizes no more than three
  // dimensions. With channels behind, it is the batch alone.
  static std::vector<int64_t> axes_of(const Node& n) {
    auto list = changes(n);
    const size_t fixed = !list.empty() && list.back() == Change::no ? 1 : 2;
    for (size_t i = 0; i < fixed && i < list.size() && list.size() > 2; ++i)
      if (list[i] == Change::maybe) list[i] = Change::no;
    std::vector<int64_t> axes;
    for (size_t i = 0; i < list.size(); ++i)
      if (list[i] != Change::no) axes.push_back(static_cast<int64_t>(i));
    return axes;
  }

  static OutPort chosen(const Graph& g, const Node& n, const OutPort& list,
                        const std::vector<int64_t>& axes) {
    const std::string name = n.name() + "/of_axes";
    const Node indices = g.create_ints(name + "/indices", axes);
    const Node zero = g.create_int(name + "/axis", 0);
    return g.create_node("Gather", "opset1", name, {list, indices.out_port(), zero.out_port()}).out_port();
  }

  static void narrow(const Graph& g, const Node& n) {
    const Shape x = n.in_port(0).get_source().shape();
    if (!x.has_rank()) return;
    auto axes = axes_of(n);
    if (axes.empty()) axes.push_back(x.rank() - 1);
    if (axes.size() == x.size()) return;
    for (const size_t i : {1, 2}) n.in_port(i).set_source(chosen(g, n, n.in_port(i).get_source(), axes));
    n.add_input_port().set_source(g.create_ints(n.name() + "/axes", axes).out_port());
  }
};

void register_narrow_interpolate(Registry& r) { r.transformation<NarrowInterpolate>(); }

}  // namespace mo::builtin_passes
