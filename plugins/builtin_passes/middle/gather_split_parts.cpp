// Channels that are taken apart and put together in another order are one Gather, which convolutions can take
// over:
//   Concat(s2, s1, s0), s0, s1, s2 = Split(x [1,3,8,8], axis 1)  ->  Gather(x, {2, 1, 0}, axis 1)
// also where the dimension goes away in between, as for Unpack and Pack.
#include <mo/slices.hpp>
#include "support/eliminate.hpp"

#include <algorithm>

namespace mo::builtin_passes {

class GatherSplitParts : public MatcherPass {
 public:
  GatherSplitParts() : MatcherPass(MO_PHASE_PRE_MIDDLE) {
    id = "middle.gather_split_parts";
    doc = "channels that are split and joined in another order become one Gather";
    before = R"(
      %x = Parameter -> f32[1,2,2,3]
      %axis = Const -> i64[] {3}
      %s = Split@opset1 (%x, %axis) {num_splits=3} -> (_, _, _)
      %y = Concat@opset1 (%s:2, %s:1, %s) {axis=-1}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,2,2,3]
      %order = Const -> i64[3] {2,1,0}
      %axis = Const -> i64[] {3}
      %y = Gather@opset1 (%x, %order, %axis)
      Result (%y))";
    run_after = {"middle.remove_splits"};
    run_before = {"middle.fold_dimensions"};
    force_clean_up = true;
    // The parts, all of one Split, are as many as they are: the first two tell whether there is one.
    register_matcher(wrap_type({"opset1::Concat"}, {part(), part()})->variadic(),
                     [](const Graph& g, const Match& m) { fuse(g, m.root()); });
  }

 private:
  using Ints = std::vector<int64_t>;

  static Pattern part() {
    const Pattern split = wrap_type({"opset1::Split", "opset1::VariadicSplit"});
    return any_of(
        {split, wrap_type({"Unsqueeze"}, {wrap_type({"Squeeze"}, {split, constant()}), constant()})});
  }

  // The part of a Split that the port is, perhaps squeezed and given its dimension back; an empty port when
  // something else reads what lies between.
  static OutPort part_behind(OutPort port, size_t axis, size_t rank) {
    const auto at_axis = [&](const Node& n) {
      const auto axes = constant_ints(n, 1);
      return axes && axes->size() == 1 && axes->front() >= -static_cast<int64_t>(rank) &&
             axes->front() < static_cast<int64_t>(rank) && normalize_axis(axes->front(), rank) == axis;
    };
    if (port && port.node().is("Unsqueeze")) {
      const OutPort squeezed = source_of(port.node(), 0);
      if (!at_axis(port.node()) || port.destination_count() != 1 || !squeezed ||
          !squeezed.node().is("Squeeze") || !at_axis(squeezed.node()) || squeezed.destination_count() != 1)
        return {};
      port = source_of(squeezed.node(), 0);
    }
    return port && port.destination_count() == 1 ? port : OutPort();
  }

  static void fuse(const Graph& g, const Node& concat) {
    const Shape s = concat.out_port().shape();
    const size_t count = concat.in_count();
    if (!s.has_rank() || s.empty()) return;
    const size_t axis = normalize_axis(concat.attr<int64_t>("axis"), s.size());
    Node split;
    Ints order;
    for (size_t i = 0; i < count; ++i) {
      const OutPort part = part_behind(concat.in_port(i).get_source(), axis, s.size());
      only_when(static_cast<bool>(part), "something else reads part ", i, ", too, or it changes its shape");
      const Node maker = part.node();
      if (split && maker != split) return;
      split = maker;
      order.push_back(part.index());
    }
    if (!split.is("opset1::Split") && !split.is("opset1::VariadicSplit")) return;
    only_when(split.out_count() == count, "'", split.name(), "' makes ", split.out_count(), " parts, and ",
              count, " are joined");
    // One element in each part: of longer ones, copies in one piece are as good.
    const OutPort x = source_of(split, 0);
    const auto at = constant_ints(split, 1);
    const auto rank = static_cast<int64_t>(s.size());
    if (!at || at->size() != 1 || at->front() < -rank || at->front() >= rank ||
        normalize_axis(at->front(), s.size()) != axis || x.shape().size() != s.size())
      return;
    only_when(x.shape()[axis] == Dim(static_cast<int64_t>(count)), "dimension ", axis, " has ",
              x.shape()[axis], " elements, more than one in each of ", count, " parts");
    if (std::is_sorted(order.begin(), order.end())) return;  // nothing changes its place
    const std::string name = concat.name() + "/Gather";
    const Node made = g.create_node(
        "Gather", "opset1", name,
        {x, g.create_ints(name + "/order", order), g.create_int(name + "/axis", static_cast<int64_t>(axis))});
    made.out_port().set_shape(x.type(), s);
    copy_runtime_info({split, concat}, {made});
    replace_node(concat, made);
  }
};

void register_gather_split_parts(Registry& r) { r.transformation<GatherSplitParts>(); }

}  // namespace mo::builtin_passes
