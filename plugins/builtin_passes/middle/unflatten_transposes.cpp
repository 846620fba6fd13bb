// A Transpose needs no dimensions that are flattened for it and spread out again behind it:
//   Reshape(Transpose(Reshape(x [B,H,L,D], {-1,L,D}), 021), {B,H,D,L})  ->  Transpose(x, 0132)
#include <mo/slices.hpp>

#include "support/asking_sizes.hpp"
#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class UnflattenTransposes : public AskingSizes<MatcherPass> {
 public:
  UnflattenTransposes() : AskingSizes(MO_PHASE_PRE_MIDDLE) {
    id = "middle.unflatten_transposes";
    doc = "a Transpose takes a tensor as it is, where its first dimensions were flattened and spread again";
    before = R"(
      %x = Parameter -> f32[?,2,3,4]
      %flat = Const -> i64[3] {-1,3,4}
      %r = Reshape@opset1 (%x, %flat) {special_zero=true}
      %order = Const -> i64[3] {0,2,1}
      %t = Transpose@opset1 (%r, %order)
      %apart = Const -> i64[4] {-1,2,4,3}
      %y = Reshape@opset1 (%t, %apart) {special_zero=true}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[?,2,3,4]
      %order = Const -> i64[4] {0,1,3,2}
      %y = Transpose@opset1 (%x, %order)
      Result (%y))";
    run_after = {"middle.keep_dimensions"};
    force_clean_up = true;
    flat_ = wrap_type({"opset1::Reshape"}, {any_input(), any_input()});
    turn_ = wrap_type({"opset1::Transpose"}, {flat_, constant()});
    register_matcher(
        wrap_type({"opset1::Reshape"}, {turn_, any_input()}),
        [this](const Graph& g, const Match& m) { unflatten(g, m.node(flat_), m.node(turn_), m.root()); });
  }

 private:
  void unflatten(const Graph& g, const Node& flat, const Node& turn, const Node& apart) {
    const OutPort x = source_of(flat, 0), rows = flat.out_port(), turned = turn.out_port(),
                  y = apart.out_port();
    const auto order = *constant_ints(turn, 1);
    const Shape s = x.shape();
    if (!s.has_rank() || y.shape().rank() != s.rank() || order.size() < 2 || s.size() <= order.size()) return;
    only_when(order.front() == 0, "'", turn.name(), "' moves the flattened dimensions");
    const size_t more = s.size() - order.size();
    for (size_t i = 1; i < order.size(); ++i) {
      only_when(same(rows, i, x, i + more), "'", flat.name(), "' flattens other dimensions than the first");
      only_when(same(turned, i, y, i + more), "'", apart.name(), "' spreads other dimensions than the first");
    }
    // One dimension may be what the others leave over.
    size_t open = 0;
    for (size_t i = 0; i <= more; ++i) open += same(x, i, y, i) ? 0 : 1;
    only_when(open <= 1, open, " dimensions of '", apart.name(), "' may be others than those of '",
              flat.name(), "'");
    std::vector<int64_t> whole;
    for (size_t i = 0; i <= more; ++i) whole.push_back(static_cast<int64_t>(i));
    for (size_t i = 1; i < order.size(); ++i) whole.push_back(order[i] + static_cast<int64_t>(more));
    const Node made = g.create_node("Transpose", "opset1", turn.name() + "/unflattened",
                                    {x, g.create_ints(turn.name() + "/unflattened/order", whole).out_port()});
    take_place(apart, made.out_port(), {turn, flat});
  }

  Pattern flat_, turn_;
};

void register_unflatten_transposes(Registry& r) { simplifying<UnflattenTransposes>(r, Stage::dimensions); }

}  // namespace mo::builtin_passes
