// The axis along which a loop slices an input or joins an output is counted from the start, as all releases
// read it:
//   TensorIterator {"in 0 -> 0 axis=-1"}  ->  TensorIterator {"in 0 -> 0 axis=2"}
#include "support/loops.hpp"

namespace mo::builtin_passes {

class CountSliceAxes : public FrontReplacementOp {
 public:
  CountSliceAxes() : FrontReplacementOp(MO_PHASE_BACK) {
    id = "back.count_slice_axes";
    doc = "the axis along which a loop slices an input or joins an output is counted from the start";
    before = R"(
      %x = Parameter -> f32[2,3]
      %y = TensorIterator@opset1 (%x) {port_map=["in 0 -> 0 axis=-1", "out 0 <- 0 axis=-1"], body=graph {
        %a = Parameter -> f32[2,1]
        %c = Exp@opset1 (%a)
        Result (%c) }}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,3]
      %y = TensorIterator@opset1 (%x) {port_map=["in 0 -> 0 axis=1", "out 0 <- 0 axis=1"], body=graph {
        %a = Parameter -> f32[2,1]
        %c = Exp@opset1 (%a)
        Result (%c) }}
      Result (%y))";
    ops = {"Loop", "TensorIterator"};
    run_after = {"back.simplify_again", "back.remove_unused_body_inputs"};
  }
  void replace_sub_graph(Graph, Match& m) override {
    const Node n = m["op"];
    std::vector<PortMapEntry> entries = port_map_of(n);
    bool changed = false;
    for (PortMapEntry& e : entries) {
      if (!e.axis || *e.axis >= 0 || e.external < 0) continue;
      const auto port = static_cast<size_t>(e.external);
      const Shape s = e.output ? n.out_port(port).shape() : n.in_port(port).shape();
      only_when(s.has_rank(), "the rank of ", e.output ? "output " : "input ", port,
                ", which is cut along axis ", *e.axis, ", is not known");
      e.axis = static_cast<int64_t>(normalize_axis(*e.axis, s.size()));
      changed = true;
    }
    only_when(changed, "no axis that it cuts along is counted from the end");
    set_port_map(n, entries);
  }
};

void register_count_slice_axes(Registry& r) { r.transformation<CountSliceAxes>(); }

}  // namespace mo::builtin_passes
