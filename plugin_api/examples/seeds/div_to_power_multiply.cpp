// Divide(a, b)  ->  Multiply(a, Power(b, -1)): 1:N, with friendly name and runtime info.
#include "seeds.hpp"

namespace seeds {

struct DivToPowerMultiply : mo::MatcherPass {
  DivToPowerMultiply() {
    id = "seeds.div_to_power_multiply";
    doc = "Divide becomes Multiply by Power";
    before = "y = Divide(a, b)";
    after = "y = Multiply(a, Power(b, -1))";
    enabled = false;
    const auto a = mo::any_input(), b = mo::any_input();
    // 1 / b of integers is not a number of theirs.
    const auto divide =
        mo::wrap_type({"Divide"}, {a, b}, [](const mo::OutPort& p) { return mo::is_float(p.type()); });
    register_matcher(divide, [a, b](mo::Graph graph, mo::Match& m) {
      const mo::Node div = m.root();
      const mo::Node pow = graph.create_node("Power", "opset1", div.name() + "/pow",
                                             {m.port(b), like(m.port(b), -1, div.name() + "/-1")});
      const mo::Node mul = graph.create_node("Multiply", "opset1", div.name() + "/mul", {m.port(a), pow});
      mo::copy_runtime_info({div}, {pow, mul});
      mo::replace_node(div, mul);  // the last node of the replacement gets the friendly name
    });
  }
};

void register_div_to_power_multiply(mo::Registry& registry) { registry.transformation<DivToPowerMultiply>(); }

}  // namespace seeds
