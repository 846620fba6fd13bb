// A dimension whose groups change places with what they are made of is shuffled:
//   Reshape(Transpose(Reshape(x, {n, g, c / g, h, w}), {0, 2, 1, 3, 4}), {n, c, h, w})  -> ShuffleChannels(x)
#include "support/asking_sizes.hpp"
#include "support/fusion.hpp"
#include "support/rearrangement.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class FuseShuffleChannels : public AskingSizes<Fusion> {
 public:
  FuseShuffleChannels() {
    id = "middle.fuse_shuffle_channels";
    doc = "Reshape, Transpose and Reshape that mix groups of channels become ShuffleChannels";
    before = R"(
      %x = Parameter -> f32[1,6,4,5]
      %split = Const -> i64[5] {1,2,3,4,5}
      %a = Reshape@opset1 (%x, %split) {special_zero=true}
      %order = Const -> i64[5] {0,2,1,3,4}
      %b = Transpose@opset1 (%a, %order)
      %join = Const -> i64[4] {1,6,4,5}
      %y = Reshape@opset1 (%b, %join) {special_zero=true}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,6,4,5]
      %y = ShuffleChannels@opset3 (%x) {axis=1, group=2}
      Result (%y))";
    ops = {"Reshape"};
  }

 private:
  void fuse_at(const Graph& g, const Node& n) override {
    const auto r = rearrangement_at(n, symbols_);
    if (!r) return;
    if (r->to != r->from) {
      near("the last Reshape does not give the shape of before");
      return;
    }
    const auto found = shuffled(*r);
    if (!found) {
      near("the Transpose does not exchange two neighbours that are one dimension of x");
      return;
    }
    const Node made = g.create_node("ShuffleChannels", "opset3", n.name() + "/ShuffleChannels", {r->x});
    made.set("axis", found->axis).set("group", found->groups);
    take_place(n, made.out_port(), r->inside);
  }

  struct Shuffle {
    int64_t axis, groups;
  };

  // Two neighbours change places, and nothing else does.
  static std::optional<Shuffle> shuffled(const Rearrangement& r) {
    size_t p = 0;
    while (p < r.order.size() && r.order[p] == p) ++p;
    if (p + 1 >= r.order.size() || r.order[p] != p + 1 || r.order[p + 1] != p) return std::nullopt;
    for (size_t i = p + 2; i < r.order.size(); ++i)
      if (r.order[i] != i) return std::nullopt;
    const RelativeExtent before = product_of(r.split, 0, p), both = r.split[p] * r.split[p + 1];
    const RelativeExtent behind = product_of(r.split, p + 2, r.split.size());
    if (!r.split[p].is_number()) return std::nullopt;
    for (size_t a = 0; a < r.from.size(); ++a)
      if (r.from[a] == both && product_of(r.from, 0, a) == before &&
          product_of(r.from, a + 1, r.from.size()) == behind)
        return Shuffle{static_cast<int64_t>(a), r.split[p].number};
    return std::nullopt;
  }
};

void register_fuse_shuffle_channels(Registry& r) { simplifying<FuseShuffleChannels>(r, Stage::fuse); }

}  // namespace mo::builtin_passes
