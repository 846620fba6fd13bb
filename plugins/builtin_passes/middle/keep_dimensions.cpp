// A dimension of a Reshape's target that its input has in the same place is written as 0, and one that
// follows from the others as -1; both stay right when the input has another size:
//   Reshape(x, Concat(ShapeOf(x)[0], ShapeOf(x)[1] * 2, {8}))  ->  Reshape(x, {0, -1, 8})
#include "support/asking_sizes.hpp"
#include "support/simplifying.hpp"

#include <algorithm>

namespace mo::builtin_passes {

class KeepDimensions : public AskingSizes<MatcherPass> {
 public:
  KeepDimensions() : AskingSizes(MO_PHASE_PRE_MIDDLE) {
    id = "middle.keep_dimensions";
    doc = "dimensions of a Reshape's target that its input has, or that follow from the others, are 0 and -1";
    before = R"(
      %x = Parameter -> f32[?,2,4]
      %s = ShapeOf@opset3 (%x) {output_type=i64}
      %zero = Const -> i64[1] {0}
      %axis = Const -> i64[] {0}
      %d = Gather@opset1 (%s, %zero, %axis)
      %rest = Const -> i64[1] {8}
      %list = Concat@opset1 (%d, %rest) {axis=0}
      %y = Reshape@opset1 (%x, %list) {special_zero=false}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[?,2,4]
      %list = Const -> i64[2] {0,8}
      %y = Reshape@opset1 (%x, %list) {special_zero=true}
      Result (%y))";
    run_after = {"middle.fold_dimensions"};
    force_clean_up = true;
    const Pattern list = any_input([](const OutPort& p) { return !p.node().is("Const"); });
    register_matcher(wrap_type({"opset1::Reshape"}, {any_input(), list}),
                     [this](const Graph& g, const Match& m) { write(g, m.root()); });
  }

 private:
  using Ints = std::vector<int64_t>;

  void write(const Graph& g, const Node& n) {
    const Ints target = target_of(n, symbols_);
    const std::vector<double> numbers(target.begin(), target.end());
    const Tensor t =
        Tensor::filled(g.context(), n.in_port(1).type(), numbers, {static_cast<int64_t>(target.size())});
    n.in_port(1).set_source(g.create_const(n.name() + "/target", t).out_port());
    n.set("special_zero", true);
  }

  static Ints target_of(const Node& n, SymbolsOf& symbols) {
    const auto list = symbols.values(n.in_port(1).get_source());
    const auto in = symbols.dims(n.in_port(0).get_source());
    only_when(list && in, "it is not known where the sizes of its target come from");
    const bool special = n.attr<bool>("special_zero", false);
    Ints target;
    bool rest = false;
    for (size_t i = 0; i < list->size(); ++i) {
      const Symbol& e = (*list)[i];
      int64_t d = -1;
      only_when(special || e != Symbol::number(0), "its target has a 0, which is a size");
      if (e.is_number())
        d = e.index;
      else if (i < in->size() && e == (*in)[i])
        d = 0;
      else if (!is_size(e, n.context()))
        decline("entry ", i, " of its target may be 0 or -1, which say something else than a size");
      only_when(d != -1 || !std::exchange(rest, true), "entry ", i,
                " of its target is the second one that its input does not have in the same place");
      target.push_back(d);
    }
    return target;
  }

  // Never 0 or -1 on purpose.
  static bool is_size(const Symbol& e, Context c) {
    return e.is_dimension() || (e.is_element() && is_product(Node(c, e.node), 0));
  }

  // Of sizes and positive numbers.
  static bool is_product(const Node& n, int depth) {
    constexpr int deepest = 24;
    const std::string op = n.op_name();
    if (op == "ShapeOf") return true;
    if (op == "Const") {
      const auto value = n.out_port().value();
      if (!value || !is_integer(value->type()) || value->size() > 64) return false;
      const Ints list = value->to_ints();
      return std::all_of(list.begin(), list.end(), [](int64_t v) { return v > 0; });
    }
    const bool all = op == "Multiply" || op == "Add" || op == "Concat";
    const bool first = op == "Gather" || op == "StridedSlice" || op == "Slice" || op == "Convert" ||
                       op == "Squeeze" || op == "Unsqueeze" || op == "Reshape" || op == "ReduceProd";
    if ((!all && !first) || depth > deepest) return false;
    for (size_t i = 0; i < (all ? n.in_count() : 1); ++i)
      if (!n.is_in_port_connected(i) || !is_product(n.in_node(i), depth + 1)) return false;
    return true;
  }
};

void register_keep_dimensions(Registry& r) { simplifying<KeepDimensions>(r, Stage::dimensions); }

}  // namespace mo::builtin_passes
