// What is joined with others is as large as they are. Written as a constant, its size would hold a model to
// the one size that it was exported with:
//   Concat(Interpolate(x, {8, 8}), y)  ->  Concat(Interpolate(x, Gather(ShapeOf(y), {2, 3})), y)
// No pattern says that neither of both is computed from the other, however far away: that is a walk of the
// graph, within what all places together may cost.
#include "support/eliminate.hpp"

#include <mo/build.hpp>

#include <algorithm>
#include <numeric>
#include <unordered_set>

namespace mo::builtin_passes {

namespace {

class ResizedNodes {
 public:
  void look_at(const Node& n) {
    if (!is_resized_to_constants(n)) return;
    std::string why;
    const OutPort y = neighbour(n, why);
    if (!y) {
      if (!why.empty()) pass_over(n, why);
      return;
    }
    const Build b(n.graph(), n);
    n.in_port(1).set_source(b.op("Gather", "opset1", {b.shape_of(y), b.list(axes_of(n)), b.integer(0)}));
    followers_.insert(n.id());
  }

 private:
  static bool is_resized_to_constants(const Node& n) {
    return n.is("Interpolate") && n.in_node(1).is("Const") &&
           n.attr<std::string>("shape_calculation_mode", "sizes") == "sizes" &&
           n.in_port(0).get_source().shape().has_rank();
  }

  static Ints axes_of(const Node& n) {
    const auto rank = n.in_port(0).get_source().shape().size();
    if (n.is("opset1::Interpolate")) return n.attr("axes", Ints{});
    const size_t at = n.is("opset4::Interpolate") ? 3 : 2;
    Ints axes(rank);
    std::iota(axes.begin(), axes.end(), 0);
    if (!n.is_in_port_connected(at)) return axes;
    const auto value = n.in_port(at).get_source().value();
    return value ? value->to_ints() : Ints{};
  }

  // What a reader of `n` joins with it along another dimension than those that are resized; empty where there
  // is nothing, or nothing that will do, and why.
  OutPort neighbour(const Node& n, std::string& why) {
    const OutPort resized = n.out_port();
    const size_t rank = n.in_port(0).get_source().shape().size();
    const Ints axes = axes_of(n);
    for (const InPort& reader : resized.get_destinations()) {
      const Node concat = reader.node();
      if (!concat.is("Concat") || axes.empty()) continue;
      const auto along = static_cast<int64_t>(normalize_axis(concat.attr<int64_t>("axis"), rank));
      if (std::any_of(axes.begin(), axes.end(),
                      [&](int64_t a) { return static_cast<int64_t>(normalize_axis(a, rank)) == along; })) {
        why = text("'", concat.name(), "' joins it along axis ", along, ", which is resized");
        continue;
      }
      for (const InPort& in : concat.in_ports()) {
        const OutPort y = in.get_source();
        if (y == resized || y.shape().size() != rank) continue;
        if (y.node().is("Const"))
          why = text("'", y.node().name(), "', which it is joined with, is a constant");
        else if (followers_.count(y.node().id()) != 0 || is_resized_to_constants(y.node()))
          why = text("'", y.node().name(), "', which it is joined with, is resized, too");
        else if (is_computed_from(y.node(), n))
          why = text("'", y.node().name(), "', which it is joined with, is computed from it");
        else
          return y;
      }
    }
    return {};
  }

  // True as well where that would take too long to find out.
  bool is_computed_from(const Node& from, const Node& n) {
    std::vector<Node> open{from};
    std::unordered_set<mo_node> seen{from.id()};
    while (!open.empty()) {
      const Node at = open.back();
      open.pop_back();
      if (at == n || steps_ == most_steps) return true;
      ++steps_;
      for (uint32_t i = 0; i < at.in_count(); ++i)
        if (const OutPort source = source_of(at, i); source && seen.insert(source.node().id()).second)
          open.push_back(source.node());
    }
    return false;
  }

  static constexpr size_t most_steps = 2'000'000;  // of all of them together
  size_t steps_ = 0;
  std::unordered_set<mo_node> followers_;
};

}  // namespace

class ResizeToNeighbours : public ModelPass {
 public:
  ResizeToNeighbours() : ModelPass(MO_PHASE_BACK) {
    id = "back.resize_to_neighbours";
    doc =
        "an Interpolate to a constant size takes it from what it is joined with, so that the model can be "
        "reshaped";
    before = R"(
      %x = Parameter -> f32[1,2,3,4]
      %y = Parameter -> f32[1,2,6,8]
      %sizes = Const -> i64[2] {6,8}
      %scales = Const -> f32[2] {2,2}
      %axes = Const -> i64[2] {2,3}
      %i = Interpolate@opset4 (%x, %sizes, %scales, %axes) {mode="nearest", shape_calculation_mode="sizes"}
      %z = Concat@opset1 (%i, %y) {axis=1}
      Result (%z))";
    after = R"(
      %x = Parameter -> f32[1,2,3,4]
      %y = Parameter -> f32[1,2,6,8]
      %shape = ShapeOf@opset3 (%y)
      %spatial = Const -> i64[2] {2,3}
      %zero = Const -> i64[] {0}
      %sizes = Gather@opset1 (%shape, %spatial, %zero)
      %scales = Const -> f32[2] {2,2}
      %axes = Const -> i64[2] {2,3}
      %i = Interpolate@opset4 (%x, %sizes, %scales, %axes) {mode="nearest", shape_calculation_mode="sizes"}
      %z = Concat@opset1 (%i, %y) {axis=1}
      Result (%z))";
    run_after = {"back.lower_interpolate", "back.prefer_older_operations"};
    run_before = {"back.simplify_again"};
    force_clean_up = true;
  }
  void run_on_model(Graph g) override {
    ResizedNodes resized;
    for (const Node& n : g.get_op_nodes("Interpolate")) resized.look_at(n);
  }
};

void register_resize_to_neighbours(Registry& r) { r.transformation<ResizeToNeighbours>(); }

}  // namespace mo::builtin_passes
