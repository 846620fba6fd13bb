// A Broadcast to the shape that the tensor has, or one whose result is spread anyway:
//   Broadcast(x, ShapeOf(x))  ->  x
//   Broadcast(x [2,3], {1, 1}, bidirectional)  ->  x
#include "support/asking_sizes.hpp"
#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class RemoveBroadcasts : public AskingSizes<Elimination> {
 public:
  RemoveBroadcasts() : AskingSizes(wrap_type({"Broadcast"}, {any_input(), any_input()})->variadic()) {
    id = "middle.remove_broadcasts";
    doc = "a Broadcast to the shape that the tensor has is left out";
    before = R"(
      %x = Parameter -> f32[2,?]
      %r = ReLU@opset1 (%x)
      %s = ShapeOf@opset3 (%x) {output_type=i64}
      %b = Broadcast@opset3 (%r, %s) {mode="numpy"}
      %y = Exp@opset1 (%b)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,?]
      %r = ReLU@opset1 (%x)
      %y = Exp@opset1 (%r)
      Result (%y))";
  }
  OutPort heir(const Node& n) override {
    const OutPort x = source_of(n, 0);
    const std::string mode = n.attr<std::string>("mode", "numpy");
    if (mode != "numpy" && mode != "bidirectional") return {};
    const auto have = symbols_.dims(x), want = symbols_.values(source_of(n, 1));
    if (!have || !want || want->size() > have->size()) return {};
    if (mode == "numpy" && want->size() != have->size()) return {};
    for (size_t i = 0; i < want->size(); ++i) {
      const Symbol& w = (*want)[want->size() - 1 - i];
      const bool spread = mode == "bidirectional" && w == Symbol::number(1);
      const size_t d = have->size() - 1 - i;
      if (spread || w == (*have)[d]) continue;
      decline("dimension ", d, " of '", x.node().name(), "', which is ", x.shape()[d],
              ", need not be what it is spread to when the model has other inputs");
    }
    return x;
  }
};

void register_remove_broadcasts(Registry& r) { simplifying<RemoveBroadcasts>(r, Stage::remove); }

}  // namespace mo::builtin_passes
