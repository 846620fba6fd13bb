// Outputs of a loop that nothing reads are left out, and with them what its body computes for them alone:
//   y, z = Loop(count, condition, x), z not read  ->  y = Loop(count, condition, x)
#include "support/loops.hpp"

namespace mo::builtin_passes {

class RemoveUnusedBodyOutputs : public FrontReplacementOp {
 public:
  RemoveUnusedBodyOutputs() : FrontReplacementOp(MO_PHASE_BACK) {
    id = "back.remove_unused_body_outputs";
    doc = "outputs of a loop that nothing reads are left out";
    before = R"(
      %n = Parameter -> i64[]
      %go = Parameter -> boolean[]
      %x = Parameter -> f32[1,2]
      %y = Loop@opset5 (%n, %go, %x) {
        port_map=["in 2 -> 0", "out 0 <- 2 axis=0", "out 1 <- 0", "out -1 <- 1 purpose=execution_condition"],
        back_edges=[0,0],
        body=graph { %a = Parameter -> f32[1,2]
          %b = Abs@opset1 (%a)
          %d = Const -> boolean[] {true}
          %c = Exp@opset1 (%a)
          Result (%b)
          Result (%d)
          Result (%c) }} -> (_, _)
      Result (%y:1))";
    after = R"(
      %n = Parameter -> i64[]
      %go = Parameter -> boolean[]
      %x = Parameter -> f32[1,2]
      %y = Loop@opset5 (%n, %go, %x) {
        port_map=["in 2 -> 0", "out 0 <- 0", "out -1 <- 1 purpose=execution_condition"],
        back_edges=[0,0],
        body=graph { %a = Parameter -> f32[1,2]
          %b = Abs@opset1 (%a)
          %d = Const -> boolean[] {true}
          Result (%b)
          Result (%d) }}
      Result (%y))";
    ops = {"Loop", "TensorIterator"};
    run_before = {"back.simplify_again"};
    force_clean_up = true;
  }
  void replace_sub_graph(Graph, Match& m) override {
    const Node n = m["op"];
    std::vector<bool> gone;
    for (const OutPort& p : n.out_ports()) gone.push_back(p.disconnected());
    const auto unread = static_cast<size_t>(std::count(gone.begin(), gone.end(), true));
    only_when(unread != gone.size(), "nothing reads any of its outputs: it goes as a whole");
    only_when(unread != 0, "all of its outputs are read");
    const auto results = body_of(n).results();
    std::vector<bool> needed(results.size(), false);
    std::vector<PortMapEntry> entries;
    for (PortMapEntry e : port_map_of(n)) {
      if (e.output && e.external >= 0 && gone.at(static_cast<size_t>(e.external))) continue;
      if (e.output) needed.at(static_cast<size_t>(e.internal)) = true;
      if (e.output && e.external >= 0)
        e.external -= std::count(gone.begin(), gone.begin() + e.external, true);
      entries.push_back(e);
    }
    auto edges = n.attr("back_edges", std::vector<int64_t>{});
    for (size_t i = 0; i + 1 < edges.size(); i += 2) needed.at(static_cast<size_t>(edges[i])) = true;
    const auto moved = [&](int64_t result) {
      return result - std::count(needed.begin(), needed.begin() + result, false);
    };
    for (PortMapEntry& e : entries)
      if (e.output) e.internal = moved(e.internal);
    for (size_t i = 0; i + 1 < edges.size(); i += 2) edges[i] = moved(edges[i]);
    set_port_map(n, entries);
    if (!edges.empty()) n.set("back_edges", edges);
    for (size_t i = 0; i < results.size(); ++i)
      if (!needed[i]) results[i].remove();
    for (size_t i = gone.size(); i-- != 0;)
      if (gone[i]) n.delete_output_port(i);
  }
};

void register_remove_unused_body_outputs(Registry& r) { r.transformation<RemoveUnusedBodyOutputs>(); }

}  // namespace mo::builtin_passes
