// All slices of a tensor that are stacked again along another dimension are the tensor, turned:
//   Concat(Unsqueeze(s0, 1), Unsqueeze(s1, 1)), s0, s1 = slices of x [2,n,c] along dimension 0
//     ->  Transpose(x, {1, 0, 2})
// Unstack and Stack of recurrent layers that are written out step by step come so, and what two of them leave.
#include <mo/slices.hpp>

#include "support/asking_sizes.hpp"
#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

#include <numeric>

namespace mo::builtin_passes {

class TurnStackedParts : public AskingSizes<MatcherPass> {
 public:
  TurnStackedParts() : AskingSizes(MO_PHASE_PRE_MIDDLE) {
    id = "middle.turn_stacked_parts";
    doc = "all slices of a tensor that are stacked along another dimension become a Transpose";
    before = R"(
      %x = Parameter -> f32[2,3,4]
      %first = Const -> i64[] {0}
      %s = Split@opset1 (%x, %first) {num_splits=2} -> (_, _)
      %zero = Const -> i64[1] {0}
      %a = Squeeze@opset1 (%s, %zero)
      %b = Squeeze@opset1 (%s:1, %zero)
      %two = Const -> i64[1] {2}
      %c = Unsqueeze@opset1 (%a, %two)
      %d = Unsqueeze@opset1 (%b, %two)
      %y = Concat@opset1 (%c, %d) {axis=2}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,3,4]
      %order = Const -> i64[3] {1,2,0}
      %y = Transpose@opset1 (%x, %order)
      Result (%y))";
    force_clean_up = true;
    run_before = {"middle.fold_dimensions"};
    run_after = {"middle.gather_split_parts"};
    register_matcher(wrap_type({"opset1::Concat"}, {part(), part()})->variadic(),
                     [this](const Graph& g, const Match& m) { turn(g, m.root()); });
  }

 private:
  static Pattern part() { return wrap_type({"Unsqueeze", "Reshape"}); }

  // What a chain of operations is made of that change the dimensions and leave the elements in their order.
  static OutPort made_of(OutPort port) {
    for (int steps = 0; steps < 4; ++steps) {
      const std::string_view op = op_of(port.node());
      if (op != "Unsqueeze" && op != "Squeeze" && op != "Reshape") break;
      const OutPort source = source_of(port.node(), 0);
      if (!source) break;
      port = source;
    }
    return port;
  }

  // Whether `stacked` has the dimensions of `part`, the one that was cut standing elsewhere. One of the others may be
  // anything: that follows from the number of elements.
  bool has_moved(const OutPort& part, size_t from, const OutPort& stacked, size_t to) {
    const auto &have = symbols_.dims(part), &is = symbols_.dims(stacked);
    if (!have || !is || have->size() != is->size() || (*is)[to] != Symbol::number(1)) return false;
    Symbols moved = *have;
    moved.erase(moved.begin() + static_cast<std::ptrdiff_t>(from));
    moved.insert(moved.begin() + static_cast<std::ptrdiff_t>(to), Symbol::number(1));
    size_t others = 0;
    for (size_t i = 0; i < moved.size(); ++i) others += moved[i] == (*is)[i] ? 0 : 1;
    return others <= 1;
  }

  void turn(const Graph& g, const Node& concat) {
    const Shape s = concat.out_port().shape();
    const Node split = made_of(source_of(concat, 0)).node();
    if (!split.is("opset1::Split") || !s.has_rank() || s.empty()) return;
    const size_t rank = s.size(), to = normalize_axis(concat.attr<int64_t>("axis"), rank);
    const OutPort x = source_of(split, 0);
    const auto axes = constant_ints(split, 1);
    const auto r = static_cast<int64_t>(rank);
    if (!x || x.shape().rank() != r || !axes || axes->size() != 1 || axes->front() < -r || axes->front() >= r)
      return;
    const size_t from = normalize_axis(axes->front(), rank), count = split.out_count();
    only_when(x.shape()[from] == Dim(static_cast<int64_t>(count)), "a part of '", split.name(),
              "' is longer than 1");
    only_when(concat.in_count() == count, "'", split.name(), "' makes ", count, " parts, and ",
              concat.in_count(), " are joined");
    for (uint32_t i = 0; i < count; ++i) {
      const OutPort stacked = source_of(concat, i);
      only_when(
          stacked && made_of(stacked) == split.out_port(i) && has_moved(split.out_port(i), from, stacked, to),
          "input ", i, " is another part, or of another shape");
    }
    if (from == to) {
      only_when(eliminate(concat.out_port(), x), "it is an output of the model, and '", x.node().name(),
                "' cannot be called by its name");
      return;
    }
    std::vector<int64_t> order(rank);
    std::iota(order.begin(), order.end(), 0);
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), static_cast<int64_t>(from));
    const Node made = g.create_node("Transpose", "opset1", concat.name() + "/Transpose",
                                    {x, g.create_ints(concat.name() + "/order", order)});
    made.out_port().set_shape(x.type(), s);
    copy_runtime_info({split, concat}, {made});
    replace_node(concat, made);
  }
};

void register_turn_stacked_parts(Registry& r) { simplifying<TurnStackedParts>(r, Stage::cut); }

}  // namespace mo::builtin_passes
