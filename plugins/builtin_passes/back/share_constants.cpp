// Constants that are equal are one:
//   f(x, {0, 1}), g(y, {0, 1})  ->  f(x, c), g(y, c)
#include "support/equal_constants.hpp"

namespace mo::builtin_passes {

class ShareConstants : public ModelPass {
 public:
  ShareConstants() : ModelPass(MO_PHASE_EMIT) {
    id = "back.share_constants";
    doc = "constants that are equal are one";
    before = R"(
      %x = Parameter -> f32[2,2]
      %a = Const -> f32[2] {1,2}
      %b = Const -> f32[2] {1,2}
      %p = Add@opset1 (%x, %a)
      %y = Multiply@opset1 (%p, %b)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,2]
      %a = Const -> f32[2] {1,2}
      %p = Add@opset1 (%x, %a)
      %y = Multiply@opset1 (%p, %a)
      Result (%y))";
    run_after = {"back.convert_float_types"};
    force_clean_up = true;
  }
  void run_on_model(Graph g) override {
    EqualConstants constants;
    for (const Node& n : g.get_op_nodes("Const")) {
      const OutPort port(n.context(), n.id(), 0);
      const OutPort first = constants.first_like(port);
      if (!first || first == port || has_result_consumers(port) || has_result_consumers(first)) continue;
      for (const InPort& reader : port.get_destinations()) reader.set_source(first);
    }
  }
};

void register_share_constants(Registry& r) { r.transformation<ShareConstants>(); }

}  // namespace mo::builtin_passes
