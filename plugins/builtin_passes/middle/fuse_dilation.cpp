// A convolution of every n-th position, which SpaceToBatch and BatchToSpace spread out, is a dilated one:
//   BatchToSpace(Convolution(SpaceToBatch(x)))  ->  Convolution(x) with dilations
#include "support/fusion.hpp"
#include "support/simplifying.hpp"

#include <algorithm>

namespace mo::builtin_passes {

class FuseDilation : public Fusion {
 public:
  FuseDilation() {
    id = "middle.fuse_dilation";
    doc = "SpaceToBatch, Convolution and BatchToSpace become a dilated convolution";
    before = R"(
      %x = Parameter -> f32[1,1,6,6]
      %block = Const -> i64[4] {1,1,2,2}
      %pads = Const -> i64[4] {0,0,2,2}
      %s = SpaceToBatch@opset2 (%x, %block, %pads, %pads)
      %w = Const -> f32[1,1,3,3] {1,2,3,4,5,6,7,8,9}
      %c = Convolution@opset1 (%s, %w) {strides=[1,1], dilations=[1,1], pads_begin=[0,0], pads_end=[0,0], auto_pad="explicit"}
      %none = Const -> i64[4] {0,0,0,0}
      %y = BatchToSpace@opset2 (%c, %block, %none, %none)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,1,6,6]
      %w = Const -> f32[1,1,3,3] {1,2,3,4,5,6,7,8,9}
      %y = Convolution@opset1 (%x, %w) {strides=[1,1], dilations=[2,2], pads_begin=[2,2], pads_end=[2,2], auto_pad="explicit"}
      Result (%y))";
  }
  void run_on_model(Graph g) override {
    Gone gone;
    for_each_op(g, {"BatchToSpace"}, gone, [&](const Node& n) { fuse(n, gone); });
  }

 private:
  using Ints = std::vector<int64_t>;

  static std::optional<Ints> list(const Node& n, size_t i) {
    if (n.in_node(i).op() != "Const") return std::nullopt;
    return n.in_port(i).value()->to_ints();
  }

  static void fuse(const Node& n, Gone& gone) {
    const Node c = n.in_node(0);
    if ((c.op() != "Convolution" && c.op() != "GroupConvolution") || c.out_port().destination_count() != 1)
      return;
    const Node s = c.in_node(0);
    if (s.op() != "SpaceToBatch" || s.out_port().destination_count() != 1) return;
    const auto block = list(s, 1), pads_begin = list(s, 2), pads_end = list(s, 3);
    const auto back = list(n, 1), crops_begin = list(n, 2), crops_end = list(n, 3);
    const std::string pad = c.attr<std::string>("auto_pad", "explicit");
    if (!block || !pads_begin || !pads_end || !crops_begin || !crops_end || block != back) return;
    if (pad != "explicit" && pad != "valid") return;
    const size_t rank = block->size();
    auto strides = c.attr<Ints>("strides"), dilations = c.attr<Ints>("dilations");
    auto begin = c.attr<Ints>("pads_begin"), end = c.attr<Ints>("pads_end");
    if (rank < 3 || strides.size() != rank - 2 || dilations.size() != rank - 2 || begin.size() != rank - 2 ||
        end.size() != rank - 2)
      return;
    for (size_t i = 0; i < 2; ++i)
      if ((*block)[i] != 1 || (*pads_begin)[i] != 0 || (*pads_end)[i] != 0 || (*crops_begin)[i] != 0 ||
          (*crops_end)[i] != 0)
        return;
    for (size_t i = 0; i < rank - 2; ++i) {
      const int64_t d = (*block)[i + 2];
      if (strides[i] != 1) return;
      if (pad == "valid") begin[i] = end[i] = 0;
      begin[i] = (*pads_begin)[i + 2] + begin[i] * d - (*crops_begin)[i + 2];
      end[i] = (*pads_end)[i + 2] + end[i] * d - (*crops_end)[i + 2];
      dilations[i] *= d;
      if (begin[i] < 0 || end[i] < 0) return;
    }
    const Node made = n.graph().create_node(c.op(), c.opset(), n.name() + "/dilated",
                                            {s.in_port(0).get_source(), c.in_port(1).get_source()});
    made.set("strides", strides).set("dilations", dilations).set("pads_begin", begin).set("pads_end", end);
    made.set("auto_pad", "explicit");
    take_place(n, made.out_port(), {c, s}, gone);
  }
};

void register_fuse_dilation(Registry& r) { simplifying<FuseDilation>(r, Stage::fuse); }

}  // namespace mo::builtin_passes
