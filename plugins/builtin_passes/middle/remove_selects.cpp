// A Select whose condition is a constant that says the same everywhere:
//   Select(true, x, y)  ->  x
#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class RemoveSelects : public Elimination {
 public:
  RemoveSelects() : Elimination(wrap_type({"Select"}, {constant(), any_input(), any_input()})) {
    id = "middle.remove_selects";
    doc = "a Select whose condition is known gives way to what it selects";
    before = R"(
      %x = Parameter -> f32[2,?]
      %no = Const -> boolean[1,1] {0}
      %zero = Const -> f32[] {0}
      %s = Select@opset1 (%no, %zero, %x) {auto_broadcast="numpy"}
      %y = ReLU@opset1 (%s)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,?]
      %y = ReLU@opset1 (%x)
      Result (%y))";
  }
  OutPort heir(const Node& n) override {
    const OutPort condition = source_of(n, 0);
    const auto value = condition.value();
    if (!value || value->size() == 0) return {};
    const bool yes = value->integer(0) != 0;
    for (size_t i = 1; i < value->size(); ++i)
      only_when((value->integer(i) != 0) == yes, "its condition is a constant, but not the same everywhere");
    const OutPort taken = n.in_port(yes ? 1 : 2).get_source(), other = n.in_port(yes ? 2 : 1).get_source();
    only_when(keeps_shape(taken, condition) && keeps_shape(taken, other), "'", taken.node().name(),
              "' is selected everywhere, but spread over a larger shape");
    return taken;
  }
};

void register_remove_selects(Registry& r) { simplifying<RemoveSelects>(r, Stage::remove); }

}  // namespace mo::builtin_passes
