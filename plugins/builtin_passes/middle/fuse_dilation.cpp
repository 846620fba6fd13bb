// A convolution of every n-th position, which SpaceToBatch and BatchToSpace spread out, is a dilated one:
//   BatchToSpace(Convolution(SpaceToBatch(x)))  ->  Convolution(x) with dilations
// In between, a sequence may become an image of one row, and its channels may come first.
#include "support/eliminate.hpp"
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
    ops = {"BatchToSpace"};
  }

 private:
  using Ints = std::vector<int64_t>;

  // What SpaceToBatch or BatchToSpace does to each dimension.
  struct Spread {
    Ints block, begin, end;
  };
  static constexpr size_t most_views = 4;

  static std::optional<Ints> list(const Node& n, size_t i) {
    if (!n.in_node(i).is("Const")) return std::nullopt;
    return n.in_port(i).value()->to_ints();
  }

  static std::optional<Spread> spread_of(const Node& n) {
    auto block = list(n, 1), begin = list(n, 2), end = list(n, 3);
    if (!block || !begin || !end || begin->size() != block->size() || end->size() != block->size())
      return std::nullopt;
    return Spread{*block, *begin, *end};
  }

  static bool is_view(const Node& n) {
    const std::string_view op = op_of(n);
    return (op == "Transpose" || op == "Unsqueeze" || op == "Squeeze") && n.in_count() == 2 &&
           n.in_node(1).is("Const");
  }

  // The nearest node above `n` that is no view; those that are, the lowest first.
  static Node above_views(const Node& n, Nodes& views) {
    Node at = n.in_node(0);
    for (; is_view(at) && only_reader_of(at.out_port()) && views.size() < most_views; at = at.in_node(0))
      views.push_back(at);
    return at;
  }

  // The same of the other side of a view, whose dimension i is dimension order[i] of this side, or where it
  // is negative a new one.
  static void rearrange(Spread& s, const Ints& order) {
    const Spread old = s;
    const auto take = [&](const Ints& from, Ints& to, int64_t none) {
      to.clear();
      for (const int64_t o : order) to.push_back(o < 0 ? none : from[static_cast<size_t>(o)]);
    };
    take(old.block, s.block, 1);
    take(old.begin, s.begin, 0);
    take(old.end, s.end, 0);
  }

  // Across a view, from its input to its output or back; false where that cannot be said.
  static bool cross(Spread& s, const Node& view, bool down) {
    const std::string_view op = op_of(view);
    const Shape in = view.in_port(0).get_source().shape(), out = view.out_port().shape();
    if (!in.has_rank() || !out.has_rank()) return false;
    const Shape &from = down ? in : out, &to = down ? out : in;
    if (from.size() != s.block.size()) return false;
    Ints order(to.size(), -1), axes = *list(view, 1);
    if (op == "Transpose") {
      if (axes.size() != order.size()) return false;
      for (size_t i = 0; i < axes.size(); ++i)
        (down ? order[i] : order[static_cast<size_t>(axes[i])]) = down ? axes[i] : static_cast<int64_t>(i);
    } else {
      const size_t large = std::max(in.size(), out.size()), small = std::min(in.size(), out.size());
      if (large - small != axes.size()) return false;  // a Squeeze of all that are 1
      for (int64_t& a : axes) a = a < 0 ? a + static_cast<int64_t>(large) : a;
      Ints kept;  // dimensions of the larger side that the smaller one has
      for (size_t i = 0; i < large; ++i)
        if (std::find(axes.begin(), axes.end(), static_cast<int64_t>(i)) == axes.end())
          kept.push_back(static_cast<int64_t>(i));
      if (kept.size() != small) return false;
      for (size_t i = 0; i < small; ++i) {
        if (to.size() == large)
          order[static_cast<size_t>(kept[i])] = static_cast<int64_t>(i);
        else
          order[i] = kept[i];
      }
      if (to.size() == small)
        for (const int64_t a : axes)
          if (const auto i = static_cast<size_t>(a); s.block[i] != 1 || s.begin[i] != 0 || s.end[i] != 0)
            return false;
    }
    if (order.empty() || order[0] != 0) return false;  // what is made more or fewer stays first
    rearrange(s, order);
    return true;
  }

  static OutPort through(OutPort y, const Nodes& views, std::string_view suffix) {
    for (const Node& v : views)
      y = clone_with_new_inputs(v, {y, v.in_port(1).get_source()}, text(v.name(), suffix)).out_port();
    return y;
  }

  void fuse_at(const Graph&, const Node& n) override {
    Nodes above, below;
    const Node c = above_views(n, below);
    if ((!c.is("Convolution") && !c.is("GroupConvolution")) || c.out_port().destination_count() != 1) return;
    const Node s = above_views(c, above);
    if (!s.is("SpaceToBatch") || s.out_port().destination_count() != 1) return;
    const auto keep = [&](const auto&... why) { near(why...); };
    std::reverse(above.begin(), above.end());  // as the data go
    auto spread = spread_of(s), back = spread_of(n);
    if (!spread || !back) return;
    for (const Node& v : above)
      if (!cross(*spread, v, true)) return;
    for (const Node& v : below)
      if (!cross(*back, v, false)) return;
    std::reverse(below.begin(), below.end());
    if (spread->block != back->block) return keep("SpaceToBatch and BatchToSpace have different blocks");
    const std::string pad = c.attr<std::string>("auto_pad", "explicit");
    if (pad != "explicit" && pad != "valid") return keep("auto_pad of '", c.name(), "' is ", pad);
    const size_t rank = spread->block.size();
    auto strides = c.attr<Ints>("strides"), dilations = c.attr<Ints>("dilations");
    auto begin = c.attr<Ints>("pads_begin"), end = c.attr<Ints>("pads_end");
    if (rank < 3 || strides.size() != rank - 2 || dilations.size() != rank - 2 || begin.size() != rank - 2 ||
        end.size() != rank - 2)
      return;
    for (size_t i = 0; i < 2; ++i)
      if (spread->block[i] != 1 || spread->begin[i] != 0 || spread->end[i] != 0 || back->begin[i] != 0 ||
          back->end[i] != 0)
        return;
    for (size_t i = 0; i < rank - 2; ++i) {
      const int64_t d = spread->block[i + 2];
      if (strides[i] != 1) return keep("the strides of '", c.name(), "' are not 1");
      if (pad == "valid") begin[i] = end[i] = 0;
      begin[i] = spread->begin[i + 2] + begin[i] * d - back->begin[i + 2];
      end[i] = spread->end[i + 2] + end[i] * d - back->end[i + 2];
      dilations[i] *= d;
      if (begin[i] < 0 || end[i] < 0) return keep("BatchToSpace cuts more than the convolution pads");
    }
    const OutPort x = through(s.in_port(0).get_source(), above, "/spread");
    const Node made =
        n.graph().create_node(c.op(), c.opset(), n.name() + "/dilated", {x, c.in_port(1).get_source()});
    made.set("strides", strides).set("dilations", dilations).set("pads_begin", begin).set("pads_end", end);
    made.set("auto_pad", "explicit");
    Nodes inside{c, s};
    inside.insert(inside.end(), above.begin(), above.end());
    inside.insert(inside.end(), below.begin(), below.end());
    take_place(n, through(made.out_port(), below, "/spread"), inside);
  }
};

void register_fuse_dilation(Registry& r) { simplifying<FuseDilation>(r, Stage::fuse); }

}  // namespace mo::builtin_passes
