// A convolution between SpaceToBatch and BatchToSpace is one with dilations:
//   BatchToSpace(Convolution(SpaceToBatch(x, {1,1,2,2})), {1,1,2,2})  ->  Convolution(x, dilations 2,2)
// What SpaceToBatch pads is padding of the convolution, less what BatchToSpace crops.
#include "support/eliminate.hpp"
#include "support/slices.hpp"

#include <algorithm>

namespace mo::builtin_passes {

class FuseDilations : public ModelPass {
 public:
  FuseDilations() : ModelPass(MO_PHASE_POST_MIDDLE) {
    id = "middle.fuse_dilations";
    doc = "a convolution between SpaceToBatch and BatchToSpace is one with dilations";
    before = R"(
      %x = Parameter -> f32[1,1,4,4]
      %block = Const -> i64[4] {1,1,2,2}
      %pads = Const -> i64[4] {0,0,2,2}
      %none = Const -> i64[4] {0,0,0,0}
      %s = SpaceToBatch@opset2 (%x, %block, %pads, %pads)
      %w = Const -> f32[1,1,3,3] {1,2,3,4,5,6,7,8,9}
      %c = Convolution@opset1 (%s, %w) {strides=[1,1], dilations=[1,1], pads_begin=[0,0], pads_end=[0,0], auto_pad="explicit"}
      %y = BatchToSpace@opset2 (%c, %block, %none, %none)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,1,4,4]
      %w = Const -> f32[1,1,3,3] {1,2,3,4,5,6,7,8,9}
      %y = Convolution@opset1 (%x, %w) {strides=[1,1], dilations=[2,2], pads_begin=[2,2], pads_end=[2,2], auto_pad="explicit"}
      Result (%y))";
    run_after = {"middle.move_transposes"};
    run_before = {"middle.fuse_linear"};
    force_clean_up = true;
    force_shape_inference = true;
  }
  void run_on_model(Graph g) override {
    for (const Node& n : g.get_op_nodes("BatchToSpace")) fuse(n);
  }

 private:
  using Ints = std::vector<int64_t>;

  static bool read_once(const Node& n) { return n.out_port().destination_count() == 1; }

  static void fuse(const Node& last) {
    Node conv = source_of(last, 0).node(), sum;
    if (conv.op() == "Add" && read_once(conv) && adds_to_channels(conv)) {
      sum = conv;
      const Node first = source_of(sum, 0).node();
      conv = first.op() == "Const" ? source_of(sum, 1).node() : first;
    }
    if ((conv.op() != "Convolution" && conv.op() != "GroupConvolution") || conv.opset() != "opset1" ||
        !read_once(conv) || !is_plain(conv))
      return;
    const Node first = source_of(conv, 0).node();
    if (first.op() != "SpaceToBatch" || !read_once(first)) return;
    const auto block = constant_ints(first, 1), begin = constant_ints(first, 2), end = constant_ints(first, 3);
    const auto back = constant_ints(last, 1), crop_begin = constant_ints(last, 2),
               crop_end = constant_ints(last, 3);
    if (!block || !begin || !end || !back || !crop_begin || !crop_end || *block != *back) return;
    const size_t rank = block->size(), spatial = conv.attr<Ints>("strides").size();
    for (const auto* list : {&*begin, &*end, &*crop_begin, &*crop_end})
      if (list->size() != rank || rank != spatial + 2) return;
    for (size_t i = 0; i < 2; ++i)
      if ((*block)[i] != 1 || (*begin)[i] != 0 || (*end)[i] != 0 || (*crop_begin)[i] != 0 || (*crop_end)[i] != 0)
        return;
    Ints dilations, pads_begin, pads_end;
    for (size_t i = 2; i < rank; ++i) {
      dilations.push_back((*block)[i]);
      pads_begin.push_back((*begin)[i] - (*crop_begin)[i]);
      pads_end.push_back((*end)[i] - (*crop_end)[i]);
      if (pads_begin.back() < 0 || pads_end.back() < 0) return;
    }
    const Node result = sum ? sum : conv;
    const bool named = has_result_consumers(last.out_port());  // then it moves along
    if (!eliminate(last.out_port(), result.out_port())) return;
    conv.in_port(0).set_source(source_of(first, 0));
    conv.set("dilations", dilations).set("pads_begin", pads_begin).set("pads_end", pads_end);
    conv.set("auto_pad", "explicit");
    if (!named) take_name(last, result);
    last.remove();  // it does not fit any more
    first.remove();
  }

  // The same for each place and image.
  static bool adds_to_channels(const Node& add) {
    const OutPort a = source_of(add, 0), b = source_of(add, 1);
    const OutPort c = a.node().op() == "Const" ? a : b;
    const Shape s = c.shape();
    if (c.node().op() != "Const" || !s.is_static()) return false;
    const size_t rank = add.out_port().shape().size();
    for (size_t i = 0; i < s.size(); ++i)
      if (s[s.size() - 1 - i] != Dim(1) && rank - 1 - i != 1) return false;
    return rank >= 3 && s.size() <= rank;
  }

  static bool is_plain(const Node& conv) {
    const auto all = [&](const char* name, int64_t wanted) {
      const Ints list = conv.attr<Ints>(name);
      return std::all_of(list.begin(), list.end(), [&](int64_t v) { return v == wanted; });
    };
    const std::string pad = conv.attr<std::string>("auto_pad", "explicit");
    const bool none = pad == "valid" || (pad == "explicit" && all("pads_begin", 0) && all("pads_end", 0));
    return none && all("strides", 1) && all("dilations", 1);
  }
};

void register_fuse_dilations(Registry& r) { r.transformation<FuseDilations>(); }

}  // namespace mo::builtin_passes
