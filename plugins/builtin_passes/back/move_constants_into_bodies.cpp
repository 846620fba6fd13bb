// Constants that a loop reads as a whole are constants of its body, where more can be computed beforehand:
//   Loop(count, condition, Const)  ->  Loop(count, condition), with the Const in its body
#include "support/loops.hpp"

namespace mo::builtin_passes {

class MoveConstantsIntoBodies : public FrontReplacementOp {
 public:
  MoveConstantsIntoBodies() : FrontReplacementOp(MO_PHASE_BACK) {
    id = "back.move_constants_into_bodies";
    doc = "constants that a loop reads are in its body";
    before = R"(
      %n = Parameter -> i64[]
      %go = Parameter -> boolean[]
      %x = Parameter -> f32[2]
      %c = Const -> f32[2] {1,2}
      %y = Loop@opset5 (%n, %go, %x, %c) {
        port_map=["in 2 -> 0", "in 3 -> 1", "out 0 <- 0", "out -1 <- 1 purpose=execution_condition"],
        back_edges=[0,0],
        body=graph { %a = Parameter -> f32[2]
          %b = Parameter -> f32[2]
          %s = Add@opset1 (%a, %b)
          %d = Const -> boolean[] {true}
          Result (%s)
          Result (%d) }}
      Result (%y))";
    after = R"(
      %n = Parameter -> i64[]
      %go = Parameter -> boolean[]
      %x = Parameter -> f32[2]
      %y = Loop@opset5 (%n, %go, %x) {
        port_map=["in 2 -> 0", "out 0 <- 0", "out -1 <- 1 purpose=execution_condition"],
        back_edges=[0,0],
        body=graph { %a = Parameter -> f32[2]
          %s = Add@opset1 (%a, %c)
          %d = Const -> boolean[] {true}
          Result (%s)
          Result (%d)
          %c = Const@opset1 "c" -> f32[2] {1,2} }}
      Result (%y))";
    ops = {"Loop", "TensorIterator"};
    run_before = {"back.simplify_again"};
    run_after = {"back.share_body_inputs"};
    force_clean_up = true;
    force_shape_inference = true;
  }
  void replace_sub_graph(Graph, Match& m) override {
    const Node n = m["op"];
    const Graph body = body_of(n);
    const auto parameters = body.parameters();
    const std::vector<bool> changes = changing_parameters(n, parameters.size());
    std::vector<bool> gone(parameters.size(), false);
    std::string left;
    for (const PortMapEntry& e : port_map_of(n)) {
      if (e.output || e.external < 0) continue;
      const auto place = static_cast<size_t>(e.internal);
      const Node source = n.in_node(static_cast<size_t>(e.external));
      if (!source || !source.is("Const")) continue;
      if (e.axis || changes.at(place)) {
        left = text("'", source.name(), "' is ",
                    e.axis ? "cut into slices" : "the start of what each turn sets anew");
        continue;
      }
      const Node parameter = parameters.at(place);
      const Node copy = body.create_const(source.name(), *source.out_port().value());
      copy_runtime_info({source}, {copy});
      parameter.out_port().get_connection().set_source(copy.out_port(), Names::source);
      gone[place] = true;
    }
    const bool changed = std::find(gone.begin(), gone.end(), true) != gone.end();
    if (!changed && !left.empty()) decline(left);
    if (changed) remove_body_parameters(n, gone);
  }
};

void register_move_constants_into_bodies(Registry& r) { r.transformation<MoveConstantsIntoBodies>(); }

}  // namespace mo::builtin_passes
