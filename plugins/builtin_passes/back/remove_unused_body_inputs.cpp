// Inputs that the body of a loop does not read are left out: to OpenVINO 2021.4 such a Parameter does not
// exist, and a port map that names it does not fit.
//   Loop(count, condition, x, y), y not read  ->  Loop(count, condition, x)
#include "support/loops.hpp"

namespace mo::builtin_passes {

class RemoveUnusedBodyInputs : public FrontReplacementOp {
 public:
  RemoveUnusedBodyInputs() : FrontReplacementOp(MO_PHASE_BACK) {
    id = "back.remove_unused_body_inputs";
    doc = "inputs that the body of a loop does not read are left out";
    before = R"(
      %n = Parameter -> i64[]
      %go = Parameter -> boolean[]
      %x = Parameter -> f32[2]
      %u = Parameter -> f32[3]
      %y = Loop@opset5 (%n, %go, %u, %x) {
        port_map=["in 2 -> 0", "in 3 -> 1", "out 0 <- 0", "out -1 <- 1 purpose=execution_condition"],
        back_edges=[0,1],
        body=graph { %a = Parameter -> f32[3]
          %b = Parameter -> f32[2]
          %c = Abs@opset1 (%b)
          %d = Const -> boolean[] {true}
          Result (%c)
          Result (%d) }}
      Result (%y)
      Result (%u))";
    after = R"(
      %n = Parameter -> i64[]
      %go = Parameter -> boolean[]
      %x = Parameter -> f32[2]
      %u = Parameter -> f32[3]
      %y = Loop@opset5 (%n, %go, %x) {
        port_map=["in 2 -> 0", "out 0 <- 0", "out -1 <- 1 purpose=execution_condition"],
        back_edges=[0,0],
        body=graph { %b = Parameter -> f32[2]
          %c = Abs@opset1 (%b)
          %d = Const -> boolean[] {true}
          Result (%c)
          Result (%d) }}
      Result (%y)
      Result (%u))";
    ops = {"Loop", "TensorIterator"};
    run_after = {"back.simplify_again"};
    force_clean_up = true;
  }
  void replace_sub_graph(Graph, Match& m) override {
    const Node n = m["op"];
    const auto parameters = body_of(n).parameters();
    std::vector<bool> gone;
    for (const Node& p : parameters) gone.push_back(p.out_port().disconnected());
    const auto unread = std::count(gone.begin(), gone.end(), true);
    keep_the_count(n, gone);
    for (const PortMapEntry& e : port_map_of(n)) {
      if (!e.output && e.external < 0) gone.at(static_cast<size_t>(e.internal)) = false;
    }
    const auto going = std::count(gone.begin(), gone.end(), true);
    only_when(going != 0 || unread == 0,
              "what its body does not read says how often it runs, or which turn it is; that has to stay");
    if (going != 0) remove_body_parameters(n, gone);
  }

 private:
  // A TensorIterator runs once for each slice: one input that is sliced must stay.
  static void keep_the_count(const Node& n, std::vector<bool>& gone) {
    if (!n.is("TensorIterator")) return;
    std::optional<size_t> sliced;
    for (const PortMapEntry& e : port_map_of(n)) {
      if (e.output || !e.axis) continue;
      if (!gone.at(static_cast<size_t>(e.internal))) return;
      sliced = static_cast<size_t>(e.internal);
    }
    if (sliced) gone[*sliced] = false;
  }
};

void register_remove_unused_body_inputs(Registry& r) { r.transformation<RemoveUnusedBodyInputs>(); }

}  // namespace mo::builtin_passes
