// The axis along which a loop slices an input or joins an output is counted from the start, as all releases
// read it:
//   TensorIterator {"in 0 -> 0 axis=-1"}  ->  TensorIterator {"in 0 -> 0 axis=2"}
#include "support/loops.hpp"

namespace mo::builtin_passes {

class CountSliceAxes : public ModelPass {
 public:
  CountSliceAxes() : ModelPass(MO_PHASE_BACK) {
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
    run_after = {"back.simplify_again", "back.remove_unused_body_inputs"};
  }
  void run_on_model(Graph g) override {
    for (const Node& n : loops_of(g)) count(n);
  }

 private:
  static void count(const Node& n) {
    std::vector<PortMapEntry> entries = port_map_of(n);
    bool changed = false;
    for (PortMapEntry& e : entries) {
      if (!e.axis || *e.axis >= 0 || e.external < 0) continue;
      const auto port = static_cast<size_t>(e.external);
      const Shape s = e.output ? n.out_port(port).shape() : n.in_port(port).shape();
      if (!s.has_rank()) continue;
      e.axis = static_cast<int64_t>(normalize_axis(*e.axis, s.size()));
      changed = true;
    }
    if (changed) set_port_map(n, entries);
  }
};

void register_count_slice_axes(Registry& r) { r.transformation<CountSliceAxes>(); }

}  // namespace mo::builtin_passes
