// Channels that become blocks of space, and the way back:
//   Reshape - Transpose - Reshape from [n, c * b * b, h, w] to [n, c, h * b, w * b]  ->  DepthToSpace(x)
//   Reshape - Transpose - Reshape from [n, c, h * b, w * b] to [n, c * b * b, h, w]  ->  SpaceToDepth(x)
#include "support/asking_sizes.hpp"
#include "support/fusion.hpp"
#include "support/rearrangement.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

namespace {

using BlockOrder = std::vector<size_t>;

// Of k dimensions of space, as DepthToSpace and SpaceToDepth are defined.
BlockOrder to_space(size_t k, bool blocks_first) {
  BlockOrder order{0, blocks_first ? k + 1 : 1};
  for (size_t i = 0; i < k; ++i) {
    order.push_back(k + 2 + i);
    order.push_back(blocks_first ? 1 + i : 2 + i);
  }
  return order;
}
BlockOrder to_depth(size_t k, bool blocks_first) {
  BlockOrder order{0};
  if (!blocks_first) order.push_back(1);
  for (size_t i = 0; i < k; ++i) order.push_back(3 + 2 * i);
  if (blocks_first) order.push_back(1);
  for (size_t i = 0; i < k; ++i) order.push_back(2 + 2 * i);
  return order;
}

}  // namespace

class FuseDepthToSpace : public AskingSizes<Fusion> {
 public:
  FuseDepthToSpace() {
    id = "middle.fuse_depth_to_space";
    doc = "Reshape, Transpose and Reshape between channels and space become DepthToSpace or SpaceToDepth";
    before = R"(
      %x = Parameter -> f32[1,8,3,5]
      %split = Const -> i64[6] {1,2,2,2,3,5}
      %a = Reshape@opset1 (%x, %split) {special_zero=true}
      %order = Const -> i64[6] {0,1,4,2,5,3}
      %b = Transpose@opset1 (%a, %order)
      %join = Const -> i64[4] {1,2,6,10}
      %y = Reshape@opset1 (%b, %join) {special_zero=true}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,8,3,5]
      %y = DepthToSpace@opset1 (%x) {block_size=2, mode="depth_first"}
      Result (%y))";
    run_after.push_back("middle.fuse_shuffle_channels");
    ops = {"Reshape"};
  }

 private:
  void fuse_at(const Graph& g, const Node& n) override {
    const auto r = rearrangement_at(n, symbols_);
    if (!r || r->from.size() != r->to.size() || r->from.size() < 3) return;
    for (const bool blocks_first : {true, false})
      for (const bool space : {true, false}) {
        const auto block = space ? space_block(*r, blocks_first) : depth_block(*r, blocks_first);
        if (!block) continue;
        const char* type = space ? "DepthToSpace" : "SpaceToDepth";
        const Node made = g.create_node(type, "opset1", text(n.name(), '/', type), {r->x});
        made.set("block_size", *block).set("mode", blocks_first ? "blocks_first" : "depth_first");
        take_place(n, made.out_port(), r->inside);
        return;
      }
    near("the elements change places in another order than DepthToSpace and SpaceToDepth have");
  }

  static std::optional<int64_t> space_block(const Rearrangement& r, bool blocks_first) {
    const size_t k = r.from.size() - 2;
    if (r.order != to_space(k, blocks_first)) return std::nullopt;
    const size_t first = blocks_first ? 1 : 2;
    const RelativeExtent block = r.split[first], channels = r.split[blocks_first ? k + 1 : 1];
    if (!block.is_number() || block.number < 2 || r.split[0] != r.from[0]) return std::nullopt;
    if (r.to[0] != r.from[0] || r.to[1] != channels) return std::nullopt;
    for (size_t i = 0; i < k; ++i)
      if (r.split[first + i] != block || r.split[k + 2 + i] != r.from[2 + i] ||
          r.to[2 + i] != r.from[2 + i] * block)
        return std::nullopt;
    return block.number;
  }

  static std::optional<int64_t> depth_block(const Rearrangement& r, bool blocks_first) {
    const size_t k = r.from.size() - 2;
    if (r.order != to_depth(k, blocks_first)) return std::nullopt;
    const RelativeExtent block = r.split[3];
    if (!block.is_number() || block.number < 2 || r.split[0] != r.from[0] || r.split[1] != r.from[1])
      return std::nullopt;
    if (r.to[0] != r.from[0]) return std::nullopt;
    for (size_t i = 0; i < k; ++i)
      if (r.split[3 + 2 * i] != block || r.split[2 + 2 * i] * block != r.from[2 + i] ||
          r.to[2 + i] != r.split[2 + 2 * i])
        return std::nullopt;
    return block.number;
  }
};

void register_fuse_depth_to_space(Registry& r) { simplifying<FuseDepthToSpace>(r, Stage::fuse); }

}  // namespace mo::builtin_passes
