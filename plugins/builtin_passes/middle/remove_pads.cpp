// A Pad that adds nothing:
//   Pad(x, {0, 0}, {0, 0})  ->  x
#include <mo/slices.hpp>
#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

#include <algorithm>

namespace mo::builtin_passes {

class RemovePads : public Elimination {
 public:
  RemovePads() : Elimination(wrap_type({"Pad"}, {any_input(), constant(), constant()})->variadic()) {
    id = "middle.remove_pads";
    doc = "a Pad that adds nothing is left out";
    before = R"(
      %x = Parameter -> f32[2,?]
      %zero = Const -> i64[2] {0,0}
      %fill = Const -> f32[] {1}
      %p = Pad@opset1 (%x, %zero, %zero, %fill) {pad_mode="constant"}
      %y = ReLU@opset1 (%p)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,?]
      %y = ReLU@opset1 (%x)
      Result (%y))";
  }
  OutPort heir(const Node& n) override {
    const auto adds = [](int64_t v) { return v != 0; };
    const auto begin = constant_ints(n, 1), end = constant_ints(n, 2);
    if (!begin || !end || std::any_of(begin->begin(), begin->end(), adds)) return {};
    if (const auto more = std::find_if(end->begin(), end->end(), adds); more != end->end())
      decline("it adds nothing at the beginning, and ", *more, " at the end of dimension ",
              more - end->begin());
    return source_of(n, 0);
  }
};

void register_remove_pads(Registry& r) { simplifying<RemovePads>(r, Stage::remove); }

}  // namespace mo::builtin_passes
