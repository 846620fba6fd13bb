// Inputs of a loop that are the same tensor, cut in the same way, are one:
//   Loop(count, condition, x, x)  ->  Loop(count, condition, x)
#include "support/loops.hpp"

namespace mo::builtin_passes {

class ShareBodyInputs : public FrontReplacementOp {
 public:
  ShareBodyInputs() : FrontReplacementOp(MO_PHASE_BACK) {
    id = "back.share_body_inputs";
    doc = "equal inputs of a loop are one";
    before = R"(
      %x = Parameter -> f32[3,2]
      %s = Parameter -> f32[1,2]
      %y = TensorIterator@opset1 (%x, %x, %s) {
        port_map=["in 0 -> 0 axis=0", "in 1 -> 1 axis=0", "in 2 -> 2", "out 0 <- 0"],
        back_edges=[0,2],
        body=graph { %a = Parameter -> f32[1,2]
          %b = Parameter -> f32[1,2]
          %c = Parameter -> f32[1,2]
          %d = Exp@opset1 (%a)
          %e = Maximum@opset1 (%b, %c)
          %f = Subtract@opset1 (%d, %e)
          Result (%f) }}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[3,2]
      %s = Parameter -> f32[1,2]
      %y = TensorIterator@opset1 (%x, %s) {
        port_map=["in 0 -> 0 axis=0", "in 1 -> 1", "out 0 <- 0"],
        back_edges=[0,1],
        body=graph { %a = Parameter -> f32[1,2]
          %c = Parameter -> f32[1,2]
          %d = Exp@opset1 (%a)
          %e = Maximum@opset1 (%a, %c)
          %f = Subtract@opset1 (%d, %e)
          Result (%f) }}
      Result (%y))";
    ops = {"Loop", "TensorIterator"};
    run_before = {"back.simplify_again"};
    force_clean_up = true;
  }
  void replace_sub_graph(Graph, Match& m) override {
    const Node n = m["op"];
    const auto parameters = body_of(n).parameters();
    const std::vector<bool> changes = changing_parameters(n, parameters.size());
    std::vector<bool> gone(parameters.size(), false);
    std::vector<PortMapEntry> known, seen;
    std::string left;
    for (const PortMapEntry& e : port_map_of(n)) {
      if (e.output || e.external < 0) continue;
      const auto place = static_cast<size_t>(e.internal);
      const auto is_one = [&](const PortMapEntry& k) { return source(n, k) == source(n, e); };
      // What each turn sets anew begins alike, and goes on differently.
      const auto same =
          changes.at(place) ? known.end() : std::find_if(known.begin(), known.end(), [&](const auto& k) {
            return is_one(k) && alike(k, e);
          });
      if (same == known.end()) {
        if (const auto near = std::find_if(seen.begin(), seen.end(), is_one); near != seen.end())
          left = text("inputs ", near->external, " and ", e.external, " are one tensor, and ",
                      changes.at(place) || changes.at(static_cast<size_t>(near->internal))
                          ? "each turn sets one of them anew"
                          : "it is cut differently");
        seen.push_back(e);
        if (!changes.at(place)) known.push_back(e);
        continue;
      }
      const Node kept = parameters.at(static_cast<size_t>(same->internal));
      parameters.at(place).out_port().get_connection().set_source(kept.out_port(), Names::merge);
      gone[place] = true;
    }
    const bool changed = std::find(gone.begin(), gone.end(), true) != gone.end();
    if (!changed && !left.empty()) decline(left);
    if (changed) remove_body_parameters(n, gone);
  }

 private:
  static OutPort source(const Node& n, const PortMapEntry& e) {
    return n.in_port(static_cast<size_t>(e.external)).get_source();
  }

  static bool alike(PortMapEntry a, const PortMapEntry& b) {
    a.external = b.external;
    a.internal = b.internal;
    return a == b;
  }
};

void register_share_body_inputs(Registry& r) { r.transformation<ShareBodyInputs>(); }

}  // namespace mo::builtin_passes
