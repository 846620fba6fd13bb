// A constant that counts up to the size that a dimension had when the model was exported, as positions of a
// language model do, is counted anew, so that the model can be given another size:
//   Broadcast({0, 1, 2, 3, 4, 5}, {n, m})  ->  Broadcast(Range(0, m, 1), {n, m})
#include "support/asking_sizes.hpp"
#include "support/eliminate.hpp"

namespace mo::builtin_passes {

class CountByRange : public AskingSizes<MatcherPass> {
 public:
  CountByRange() : AskingSizes(MO_PHASE_PRE_MIDDLE) {
    id = "middle.count_by_range";
    doc = "a constant that counts up to a dimension is counted anew when that has another size";
    before = R"(
      %x = Parameter -> i64[?,6]
      %s = ShapeOf@opset3 (%x) {output_type=i64}
      %c = Const -> i64[1,6] {0,1,2,3,4,5}
      %b = Broadcast@opset3 (%c, %s) {mode="bidirectional"}
      %y = Add@opset1 (%b, %x)
      Result (%y))";
    after = R"(
      %x = Parameter -> i64[?,6]
      %s = ShapeOf@opset3 (%x) {output_type=i64}
      %one = Const@opset1 -> i64[] {1}
      %zero = Const@opset1 -> i64[] {0}
      %d = Gather@opset1 (%s, %one, %zero)
      %from = Const@opset1 -> i64[] {0}
      %step = Const@opset1 -> i64[] {1}
      %r = Range@opset4 (%from, %d, %step) {output_type=i64}
      %axes = Const@opset1 -> i64[1] {0}
      %c = Unsqueeze@opset1 (%r, %axes)
      %b = Broadcast@opset3 (%c, %s) {mode="bidirectional"}
      %y = Add@opset1 (%b, %x)
      Result (%y))";
    run_before = {"middle.remove_broadcasts", "middle.fold_dimensions"};
    const Pattern list = constant()->where([](const OutPort& p) { return counting_axis(p).has_value(); });
    register_matcher(wrap_type({"Broadcast"}, {list, any_input()})->variadic(),
                     [this](const Graph& g, const Match& m) { count(g, m.root(), symbols_); });
  }
  bool graph_condition(Graph g) override {
    return AskingSizes::graph_condition(g) && !option<bool>(g.context(), "static_shape").value_or(false);
  }

 private:
  // Shorter ones may be there for other reasons.
  static constexpr int64_t shortest = 6, longest = 1 << 20;

  // The dimension along which the constant counts from 0 on; all others are 1.
  static std::optional<size_t> counting_axis(const OutPort& port) {
    const auto value = port.value();
    if (!value || value->rank() == 0) return std::nullopt;
    const ElementType type = value->type();
    if (type != ElementType::i32 && type != ElementType::i64 && type != ElementType::f32) return std::nullopt;
    const auto dims = value->dims();
    std::optional<size_t> axis;
    for (size_t i = 0; i < dims.size(); ++i) {
      if (dims[i] == 1) continue;
      if (axis || dims[i] < shortest || dims[i] > longest) return std::nullopt;
      axis = i;
    }
    for (size_t i = 0, count = axis ? value->size() : 0; i < count; ++i)
      if (value->number(i) != static_cast<double>(i)) return std::nullopt;
    return axis;
  }

  static void count(const Graph& g, const Node& n, SymbolsOf& symbols) {
    const OutPort constant = source_of(n, 0), target = source_of(n, 1);
    const std::string mode = n.attr<std::string>("mode", "numpy");
    if (mode != "numpy" && mode != "bidirectional") return;
    const auto axis = counting_axis(constant);
    const auto wanted = symbols.values(target);
    only_when(wanted && target.shape().rank() == 1, "it is not known where the sizes come from that '",
              constant.node().name(), "' is spread to");
    const size_t rank = constant.shape().size(), from_end = rank - *axis;
    only_when(wanted->size() >= from_end, "'", constant.node().name(), "' has ", rank,
              " dimensions, more than it is spread to");
    const size_t at = wanted->size() - from_end;
    const Symbol& dimension = (*wanted)[at];
    only_when(!dimension.is_number(), "'", constant.node().name(), "' counts to ", dimension.index,
              ", which does not change with the inputs of the model");
    const int64_t length = static_cast<int64_t>(constant.value()->size());
    const std::string name = constant.node().name();
    const auto scalar = [&](ElementType type, int64_t v, const char* what) {
      return g
          .create_const(text(name, '/', what),
                        Tensor::filled(g.context(), type, {static_cast<double>(v)}, {}))
          .out_port();
    };
    const ElementType type = target.type();
    OutPort size = g.create_node("Gather", "opset1", name + "/size",
                                 {target, scalar(ElementType::i64, static_cast<int64_t>(at), "place"),
                                  scalar(ElementType::i64, 0, "axis")});
    // Where the other tensor may have a single element, the constant has them all.
    const auto known = target.bounds();
    const bool is_length =
        mode == "numpy" || (known && known->size() == wanted->size() && (*known)[at] == Bound(length));
    if (!is_length)
      size = g.create_node("Maximum", "opset1", name + "/longer", {size, scalar(type, length, "length")});
    const Node range = g.create_node("Range", "opset4", name + "/Range",
                                     {scalar(type, 0, "from"), size, scalar(type, 1, "step")});
    range.set("output_type", constant.type());
    OutPort made = range;
    std::vector<int64_t> ones;
    for (size_t i = 0; i < rank; ++i)
      if (i != *axis) ones.push_back(static_cast<int64_t>(i));
    if (!ones.empty())
      made = g.create_node("Unsqueeze", "opset1", name + "/Unsqueeze",
                           {made, g.create_ints(name + "/axes", ones)});
    n.in_port(0).set_source(made);
  }
};

void register_count_by_range(Registry& r) { r.transformation<CountByRange>(); }

}  // namespace mo::builtin_passes
