// A Broadcast to the shape that the tensor has, or one whose result is spread anyway:
//   Broadcast(x, ShapeOf(x))  ->  x
//   Broadcast(x [2,3], {1, 1}, bidirectional)  ->  x
//   Add(Broadcast(x, ShapeOf(y)), y)  ->  Add(x, y)
#include "support/eliminate.hpp"
#include "support/extents.hpp"
#include "support/simplifying.hpp"

#include <algorithm>
#include <array>

namespace mo::builtin_passes {

class RemoveBroadcasts : public Elimination {
 public:
  RemoveBroadcasts() : Elimination({"Broadcast"}) {
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
    ExtentsOf extents;
    const auto have = extents.dims(x), want = extents.values(source_of(n, 1));
    if (!have || !want) return {};
    for (const InPort& reader : n.out_port().get_destinations())
      if (spreads_anyway(reader, *have, *want, extents)) reader.set_source(x);
    if (want->size() > have->size()) return {};
    if (mode == "numpy" && want->size() != have->size()) return {};
    for (size_t i = 0; i < want->size(); ++i) {
      const Extent& w = (*want)[want->size() - 1 - i];
      const bool spread = mode == "bidirectional" && w == fixed_extent(1);
      if (!spread && w != (*have)[have->size() - 1 - i]) return {};
    }
    return x;
  }

 private:
  // Operations on pairs of elements, which spread their inputs over one another.
  static bool is_elementwise(const Node& n) {
    static constexpr std::array ops{"Add",     "Subtract",     "Multiply",   "Divide",    "Maximum",
                                    "Minimum", "Power",        "Mod",        "FloorMod",  "SquaredDifference",
                                    "Equal",   "NotEqual",     "Less",       "Greater",   "LessEqual",
                                    "Select",  "GreaterEqual", "LogicalAnd", "LogicalOr", "LogicalXor"};
    const std::string_view op = op_of(n);
    return opset_of(n).substr(0, 5) == "opset" && std::find(ops.begin(), ops.end(), op) != ops.end() &&
           n.attr<std::string>("auto_broadcast", "numpy") == "numpy";
  }

  // Whether the reader's result has the same shape when it reads what is not spread: what a dimension is
  // spread to, another input has.
  static bool spreads_anyway(const InPort& reader, const Extents& have, const Extents& want,
                             ExtentsOf& extents) {
    const Node n = reader.node();
    if (!is_elementwise(n)) return false;
    for (size_t i = 0; i < want.size(); ++i) {  // from the last one on
      const Extent& w = want[want.size() - 1 - i];
      const bool is_one = w == fixed_extent(1);
      if (i < have.size() && (is_one || have[have.size() - 1 - i] == w)) continue;
      bool given = false;
      for (const InPort& other : n.in_ports()) {
        if (other == reader || other.get_source() == reader.get_source()) continue;
        const auto& dims = extents.dims(other.get_source());
        given = given || (dims && i < dims->size() && (is_one || (*dims)[dims->size() - 1 - i] == w));
      }
      if (!given) return false;
    }
    return true;
  }
};

void register_remove_broadcasts(Registry& r) { simplifying<RemoveBroadcasts>(r, Stage::remove); }

}  // namespace mo::builtin_passes
