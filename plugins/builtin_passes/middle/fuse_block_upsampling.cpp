// Copies in the batch that BatchToSpace spreads over space are elements repeated next to one another:
//   Transpose(Squeeze(BatchToSpace(Tile(Unsqueeze(Transpose(x), 0), {4, 1, 1, 1, 1}), {1, 2, 2, 1, 1}), 0))
//     ->  Interpolate(x), nearest, twice as high and wide
#include <mo/slices.hpp>
#include "support/expressions.hpp"
#include "support/repetition.hpp"

#include <algorithm>

namespace mo::builtin_passes {

class FuseBlockUpsampling : public MatcherPass {
 public:
  FuseBlockUpsampling() : MatcherPass(MO_PHASE_PRE_MIDDLE) {
    id = "middle.fuse_block_upsampling";
    doc = "copies that BatchToSpace spreads over space become a nearest Interpolate";
    before = R"(
      %x = Parameter -> f32[2,3,4,5]
      %away = Const -> i64[4] {1,2,3,0}
      %t = Transpose@opset1 (%x, %away)
      %first = Const -> i64[1] {0}
      %u = Unsqueeze@opset1 (%t, %first)
      %often = Const -> i64[5] {6,1,1,1,1}
      %r = Tile@opset1 (%u, %often)
      %block = Const -> i64[5] {1,2,3,1,1}
      %none = Const -> i64[5] {0,0,0,0,0}
      %s = BatchToSpace@opset2 (%r, %block, %none, %none)
      %q = Squeeze@opset1 (%s, %first)
      %back = Const -> i64[4] {3,0,1,2}
      %y = Transpose@opset1 (%q, %back)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,3,4,5]
      %sizes = Const@opset1 -> i64[2] {6,12}
      %scales = Const@opset1 -> f32[2] {2,3}
      %axes = Const@opset1 -> i64[2] {1,2}
      %y = Interpolate@opset4 (%x, %sizes, %scales, %axes) {mode="nearest", shape_calculation_mode="scales", coordinate_transformation_mode="asymmetric", nearest_mode="floor"}
      Result (%y))";
    run_before = {"middle.fold_dimensions"};
    force_clean_up = true;
    const Pattern unsqueeze = wrap_type({"Unsqueeze"}, {any_input(), constant()});
    const Pattern tile = wrap_type({"Tile"}, {unsqueeze, constant()});
    register_matcher(
        wrap_type({"BatchToSpace"}, {tile, constant(), constant(), constant()}),
        [=](const Graph& g, const Match& m) { fuse(g, m.root(), m.node(tile), m.node(unsqueeze)); });
  }

 private:
  using Ints = std::vector<int64_t>;

  static void fuse(const Graph& g, const Node& spread, const Node& tile, const Node& unsqueeze) {
    const auto block = constant_ints(spread, 1), begin = constant_ints(spread, 2),
               end = constant_ints(spread, 3);
    const auto often_now = constant_ints(tile, 1);
    if (!block || !begin || !end || !often_now || block->size() < 2) return;
    const auto is_zero = [](int64_t v) { return v == 0; };
    only_when(
        std::all_of(begin->begin(), begin->end(), is_zero) && std::all_of(end->begin(), end->end(), is_zero),
        "it crops what it spreads");
    Ints often(block->size(), 1);
    for (const int64_t b : *block) often[0] *= b;
    only_when((*block)[0] == 1 && *often_now == often && constant_ints(unsqueeze, 1) == Ints{0}, "'",
              tile.name(), "' makes ", *often_now, " copies, and it spreads ", *block);
    const auto only = only_reader_of(spread.out_port());
    only_when(only && takes_first(*only, block->size()),
              "what reads it does not take the dimension of copies away");
    OutPort x = unsqueeze.in_port(0).get_source();
    Node last = *only;
    Nodes inside{spread, tile, unsqueeze};
    Ints factors(block->begin() + 1, block->end());
    // Transposes around it that undo one another are not needed any more.
    const auto there = made_by(x, "Transpose"), back = only_reader_of(last.out_port());
    const auto order = there ? constant_ints(*there, 1) : std::nullopt;
    if (order && order->size() == factors.size() && back && back->is("Transpose") &&
        undoes(*order, constant_ints(*back, 1))) {
      inside.insert(inside.end(), {last, *there});
      last = *back;
      x = there->in_port(0).get_source();
      const Ints turned = factors;
      for (size_t i = 0; i < turned.size(); ++i) factors[static_cast<size_t>((*order)[i])] = turned[i];
    }
    resize(g, last, x, factors, inside);
  }

  // The only element of the first dimension, which goes.
  static bool takes_first(const Node& n, size_t rank) {
    if (n.is("Squeeze")) return constant_ints(n, 1) == Ints{0};
    const auto dims = sliced_dims(n);
    if (!dims || dims->size() != rank) return false;
    const auto& first = dims->front();
    if (first.kind != SlicedDim::Kind::gone || first.axis != 0 || (first.begin != 0 && first.begin != -1))
      return false;
    return std::all_of(dims->begin() + 1, dims->end(),
                       [](const SlicedDim& d) { return d.kind == SlicedDim::Kind::whole; });
  }

  static bool undoes(const Ints& order, const std::optional<Ints>& back) {
    if (!back || back->size() != order.size()) return false;
    for (size_t i = 0; i < order.size(); ++i) {
      const int64_t from = (*back)[i];
      if (from < 0 || from >= static_cast<int64_t>(order.size()) ||
          order[static_cast<size_t>(from)] != static_cast<int64_t>(i))
        return false;
    }
    return true;
  }

  static void resize(const Graph& g, const Node& last, const OutPort& x, const Ints& factors,
                     const Nodes& inside) {
    const Shape s = x.shape();
    if (!s.has_rank() || s.size() != factors.size() || s.size() < 3 || s.size() > 5 || !is_float(x.type()))
      return;
    const Ints axes = repeated_axes(factors);
    // Space with the channels last or second, as runtimes resize it.
    const bool space = !axes.empty() && axes.size() <= 3 &&
                       (axes.front() >= 2 || (axes.front() == 1 && factors.back() == 1));
    only_when(space, "blocks of ", factors, " are not of the space of ", s);
    only_when(serves_only(last, inside), "something else reads the copies, too");
    Gone gone;
    const Node made = repeat_elements(g, last.name() + "/Interpolate", x, factors);
    take_place(last, made.out_port(), inside, gone);
  }
};

void register_fuse_block_upsampling(Registry& r) { r.transformation<FuseBlockUpsampling>(); }

}  // namespace mo::builtin_passes
