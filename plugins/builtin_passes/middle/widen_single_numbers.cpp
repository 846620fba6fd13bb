// A number that stands in a file in half precision, as OpenVINO's files have them, is a number again, which all that look for
// -1 or an epsilon know:
//   Multiply(x, Convert(Const f16 {-1}))  ->  Multiply(x, Const f32 {-1})
#include <mo/sdk.hpp>

namespace mo::builtin_passes {

class WidenSingleNumbers : public MatcherPass {
 public:
  WidenSingleNumbers() : MatcherPass(MO_PHASE_PRE_MIDDLE) {
    id = "middle.widen_single_numbers";
    doc = "constants of one element that are stored in half precision are computed";
    before = R"(
      %x = Parameter -> f32[2]
      %half = Const -> f16[1] {-1.5}
      %number = Convert@opset1 (%half) {destination_type=f32, stop_value_propagation=true}
      %y = Multiply@opset1 (%x, %number)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2]
      %number = Const@opset1 -> f32[1] {-1.5}
      %y = Multiply@opset1 (%x, %number)
      Result (%y))";
    run_before = {"middle.share_operations"};
    force_shape_inference = true;
    force_clean_up = true;
    register_matcher(wrap_type({"Convert"}, {constant()})->with("stop_value_propagation", true),
                     [](const Graph&, const Match& m) { widen(m.root()); });
  }

 private:
  static void widen(const Node& n) {
    const OutPort stored = n.in_port(0).get_source();
    only_when(stored.type() == ElementType::f16 || stored.type() == ElementType::bf16, "it is stored as ",
              name(stored.type()), ", which devices compute with");
    only_when(stored.value()->size() == 1, "it has ", stored.value()->size(), " elements");
    n.erase("stop_value_propagation");
  }
};

void register_widen_single_numbers(Registry& r) { r.transformation<WidenSingleNumbers>(); }

}  // namespace mo::builtin_passes
