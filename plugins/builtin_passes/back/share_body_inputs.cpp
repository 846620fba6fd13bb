// Inputs of a loop that are the same tensor, cut in the same way, are one:
//   Loop(count, condition, x, x)  ->  Loop(count, condition, x)
#include "support/loops.hpp"

namespace mo::builtin_passes {

class ShareBodyInputs : public ModelPass {
 public:
  ShareBodyInputs() : ModelPass(MO_PHASE_BACK) {
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
    run_before = {"back.simplify_again"};
    force_clean_up = true;
  }
  void run_on_model(Graph g) override {
    for (const Node& n : loops_of(g)) share(n);
  }

 private:
  static void share(const Node& n) {
    const auto parameters = body_of(n).parameters();
    const std::vector<bool> changes = changing_parameters(n, parameters.size());
    std::vector<bool> gone(parameters.size(), false);
    std::vector<PortMapEntry> known;
    for (const PortMapEntry& e : port_map_of(n)) {
      const auto place = static_cast<size_t>(e.internal);
      // What each turn sets anew begins alike, and goes on differently.
      if (e.output || e.external < 0 || changes.at(place)) continue;
      const auto same =
          std::find_if(known.begin(), known.end(), [&](const PortMapEntry& k) { return alike(n, k, e); });
      if (same == known.end()) {
        known.push_back(e);
        continue;
      }
      const Node kept = parameters.at(static_cast<size_t>(same->internal));
      parameters.at(place).out_port().get_connection().set_source(kept.out_port(), Names::merge);
      gone[place] = true;
    }
    remove_named_parameters(n, gone);
  }

  static bool alike(const Node& n, PortMapEntry a, const PortMapEntry& b) {
    const auto source = [&](const PortMapEntry& e) {
      return n.in_port(static_cast<size_t>(e.external)).get_source();
    };
    if (source(a) != source(b)) return false;
    a.external = b.external;
    a.internal = b.internal;
    return a == b;
  }
};

void register_share_body_inputs(Registry& r) { r.transformation<ShareBodyInputs>(); }

}  // namespace mo::builtin_passes
