// The mode linear_onnx takes all dimensions from the third on, of four or more, or all there are; sizes that
// stay and dimensions of 1 fill up what is missing, and Transposes move channels away that come last:
//   Interpolate(x[3,4], sizes, scales)  ->  Squeeze(Interpolate(Unsqueeze(x), sizes, scales, [2, 3]))
#include "support/expressions.hpp"
#include "support/move_attributes.hpp"

#include <numeric>

namespace mo::builtin_passes {

class LiftInterpolate : public MatcherPass {
 public:
  // Which dimension is the third is known once the layout is.
  LiftInterpolate() : MatcherPass(MO_PHASE_POST_MIDDLE) {
    id = "middle.lift_interpolate";
    doc = "an Interpolate of mode linear_onnx is about all dimensions from the third on";
    before = R"(
      %x = Parameter -> f32[5,2,3]
      %sizes = Const -> i64[1] {6}
      %scales = Const -> f32[1] {2}
      %axes = Const -> i64[1] {2}
      %y = Interpolate@opset4 (%x, %sizes, %scales, %axes) {mode="linear_onnx", shape_calculation_mode="sizes"}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[5,2,3]
      %ones = Const -> i64[1] {2}
      %u = Unsqueeze@opset1 (%x, %ones)
      %sizes = Const -> i64[2] {1,6}
      %scales = Const -> f32[2] {1,2}
      %axes = Const -> i64[2] {2,3}
      %i = Interpolate@opset4 (%u, %sizes, %scales, %axes) {mode="linear_onnx", shape_calculation_mode="sizes"}
      %y = Squeeze@opset1 (%i, %ones)
      Result (%y))";
    run_after = {"middle.move_transposes"};
    force_clean_up = true;
    force_shape_inference = true;
    register_matcher(wrap_type({"opset4::Interpolate", "opset11::Interpolate"})->with("mode", "linear_onnx"),
                     [](const Graph& g, const Match& m) { lift(g, m.root()); });
  }

 private:
  using Ints = std::vector<int64_t>;

  static std::optional<Ints> axes_of(const Node& n, size_t input, size_t rank) {
    Ints axes(rank);
    std::iota(axes.begin(), axes.end(), 0);
    if (!n.is_in_port_connected(input)) return axes;
    const auto value = n.in_port(input).get_source().value();
    if (!value) return std::nullopt;
    axes = value->to_ints();
    for (int64_t& a : axes) a = static_cast<int64_t>(normalize_axis(a, rank));
    return axes;
  }

  static bool is_padded(const Node& n) {
    for (const char* key : {"pads_begin", "pads_end"})
      for (const int64_t p : n.attr(key, Ints{}))
        if (p != 0) return true;
    return false;
  }

  static Ints from(int64_t first, int64_t count) {
    Ints list(static_cast<size_t>(count));
    std::iota(list.begin(), list.end(), first);
    return list;
  }

  static void lift(const Graph& g, const Node& n) {
    Gone gone;
    const OutPort x = n.in_port(0).get_source();
    const int64_t rank = x.shape().rank();
    only_when(rank >= 1, "the rank of what it reads is not known");
    const size_t last = n.opset() == "opset4" ? 3 : 2;
    const auto axes = axes_of(n, last, static_cast<size_t>(rank));
    only_when(axes && !axes->empty(), "its axes are not known");
    const int64_t least = *std::min_element(axes->begin(), axes->end());
    const int64_t added = rank < 4 ? std::max(2 - least, 4 - rank) : 0;
    const int64_t first = least + added < 2 ? 0 : 2;
    const Ints wanted = from(first, rank + added - first);
    if (added == 0 && *axes == wanted) return;
    only_when(!is_padded(n), "it pads what it reads, and has to be about the dimensions ", wanted,
              " instead of ", *axes);
    if (first == 0 && added == 0 && *axes == from(1, rank - 2)) return turn(g, n, *axes);
    const std::string name = n.name();

    // What the list at an input of n says of all that is wanted; `one` where nothing changes.
    const auto filled = [&](size_t input, bool sizes) {
      const OutPort given = n.in_port(input).get_source(), zero = g.create_int(name + "/zero", 0).out_port();
      const auto entry = [&](const OutPort& list, int64_t i) {
        return g
            .create_node("Gather", "opset1", name + "/entry",
                         {list, g.create_ints(name + "/index", {i}).out_port(), zero})
            .out_port();
      };
      const OutPort one =
          sizes
              ? g.create_ints(name + "/one", {1}).out_port()
              : g.create_const(name + "/one", Tensor::filled(g.context(), given.type(), {1}, {1})).out_port();
      std::vector<OutPort> parts;
      for (const int64_t a : wanted) {
        const int64_t old = a < least ? a : a - added;
        const auto at = std::find(axes->begin(), axes->end(), old);
        if (a >= least && a < least + added)
          parts.push_back(one);
        else if (at != axes->end())
          parts.push_back(entry(as_i64(g, given, sizes), at - axes->begin()));
        else
          parts.push_back(sizes ? dimension(g, x, old, entry) : one);
      }
      const Node all = g.create_node("Concat", "opset1", name + "/filled", parts);
      all.set("axis", 0);
      return all.out_port();
    };
    const bool by_sizes = n.attr<std::string>("shape_calculation_mode") == "sizes";
    std::vector<OutPort> inputs{x};
    const OutPort ones = g.create_ints(name + "/ones", from(least, added)).out_port();
    if (added != 0)
      inputs[0] = g.create_node("Unsqueeze", "opset1", name + "/unsqueezed", {x, ones}).out_port();
    if (last == 3)
      inputs.insert(inputs.end(), {filled(1, true), filled(2, false)});
    else
      inputs.push_back(filled(1, by_sizes));
    inputs.push_back(g.create_ints(name + "/axes", wanted).out_port());
    const Node made = g.create_node("Interpolate", n.opset(), name + "/lifted", inputs);
    take_attributes(n, made);
    if (added == 0) return take_place(n, made.out_port(), {}, gone);
    const Node y = g.create_node("Squeeze", "opset1", name + "/squeezed", {made.out_port(), ones});
    copy_runtime_info({n}, {made});
    take_place(n, y.out_port(), {}, gone);
  }

  // Over all dimensions, with channels that come last, the CPU of 2026.4 takes 14 times as long, and up to 2025.3 there is no such
  // Interpolate.
  static void turn(const Graph& g, const Node& n, const Ints& axes) {
    Gone gone;
    const auto transposed = [&](const OutPort& x, const Ints& order) {
      return g.create_node("Transpose", "opset1", n.name() + "/transposed",
                           {x, g.create_ints(n.name() + "/order", order).out_port()});
    };
    const auto rank = static_cast<int64_t>(axes.size()) + 2;
    Ints first{0, rank - 1}, back{0};
    for (const int64_t a : axes) {
      first.push_back(a);
      back.push_back(a + 1);
    }
    back.push_back(1);
    std::vector<OutPort> inputs{transposed(n.in_port(0).get_source(), first).out_port()};
    for (size_t i = 1; i + 1 < n.in_count(); ++i) inputs.push_back(n.in_port(i).get_source());
    inputs.push_back(g.create_ints(n.name() + "/axes", from(2, rank - 2)).out_port());
    const Node made = g.create_node("Interpolate", n.opset(), n.name() + "/turned", inputs);
    take_attributes(n, made);
    const Node y = transposed(made.out_port(), back);
    copy_runtime_info({n}, {made});
    take_place(n, y.out_port(), {}, gone);
  }

  static OutPort as_i64(const Graph& g, const OutPort& list, bool sizes) {
    if (!sizes || list.type() == ElementType::i64) return list;
    const Node c = g.create_node("Convert", "opset1", list.node().name() + "/i64", {list});
    c.set("destination_type", ElementType::i64);
    return c.out_port();
  }

  template <class Entry>
  static OutPort dimension(const Graph& g, const OutPort& x, int64_t axis, Entry entry) {
    const Dim d = x.shape()[static_cast<size_t>(axis)];
    if (d.is_static()) return g.create_ints(x.node().name() + "/size", {d.value()}).out_port();
    return entry(g.create_node("ShapeOf", "opset3", x.node().name() + "/shape", {x}).out_port(), axis);
  }

  // What changes its rank has no pads.
  static void take_attributes(const Node& from, const Node& to) {
    move_attributes(from, to);
    for (const std::string& name : to.attr_names())
      if (name == "pads_begin" || name == "pads_end") to.set(name, Ints{0});
  }
};

void register_lift_interpolate(Registry& r) { r.transformation<LiftInterpolate>(); }

}  // namespace mo::builtin_passes
