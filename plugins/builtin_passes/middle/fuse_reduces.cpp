// Reductions that follow one another are one, and those around which dimensions come and go say so:
//   ReduceSum(ReduceSum(x, a), b)              ->  ReduceSum(x, a and b)
//   Squeeze(ReduceSum(x, a, keep_dims), a)     ->  ReduceSum(x, a)
//   Unsqueeze(ReduceSum(x, a), a)              ->  ReduceSum(x, a, keep_dims)
//   ReduceSum(Transpose(x, order), a)          ->  ReduceSum(x, order[a])
#include "support/fusion.hpp"
#include "support/row_of_constants.hpp"
#include "support/simplifying.hpp"

#include <algorithm>

namespace mo::builtin_passes {

class FuseReduces : public Fusion {
 public:
  FuseReduces() {
    id = "middle.fuse_reduces";
    doc = "reductions in a row, and Squeeze, Unsqueeze and Transpose around one, become one reduction";
    before = R"(
      %x = Parameter -> f32[2,3,4,5]
      %last = Const -> i64[1] {3}
      %a = ReduceMean@opset1 (%x, %last) {keep_dims=true}
      %third = Const -> i64[1] {2}
      %b = ReduceMean@opset1 (%a, %third) {keep_dims=true}
      %both = Const -> i64[2] {2,3}
      %y = Squeeze@opset1 (%b, %both)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,3,4,5]
      %both = Const@opset1 -> i64[2] {2,3}
      %y = ReduceMean@opset1 (%x, %both) {keep_dims=false}
      Result (%y))";
    ops = {"ReduceSum", "ReduceMean", "ReduceMax",        "ReduceMin",      "ReduceProd",
           "ReduceL1",  "ReduceL2",   "ReduceLogicalAnd", "ReduceLogicalOr"};
  }

 private:
  void fuse_at(const Graph& g, const Node& n) override {
    while (take_inner(g, n) || take_transpose(g, n)) note_edit();
    take_outer(g, n);
  }

  using Axes = std::vector<int64_t>;

  // Sorted, from 0 on.
  static std::optional<Axes> axes_of(const Node& n) {
    if (n.in_count() != 2 || !n.in_node(1).is("Const") || n.out_count() != 1) return std::nullopt;
    const Shape s = n.in_port(0).get_source().shape();
    if (!s.has_rank()) return std::nullopt;
    Axes axes = n.in_port(1).value()->to_ints();
    for (int64_t& a : axes) {
      if (a < 0) a += s.rank();
      if (a < 0 || a >= s.rank()) return std::nullopt;
    }
    std::sort(axes.begin(), axes.end());
    axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
    return axes;
  }

  static void read(const Graph& g, const Node& n, const OutPort& x, const Axes& axes) {
    n.in_port(1).set_source(g.create_ints(n.name() + "/axes", axes).out_port());
    n.in_port(0).set_source(x);
  }

  static void drop(const Node& n) {
    if (n.out_port().disconnected()) n.remove();
  }

  bool take_inner(const Graph& g, const Node& n) {
    const Node inner = n.in_node(0);
    if (!inner.is(n.op_name())) return false;
    if (inner.out_port().destination_count() != 1) return near("'", inner.name(), "' is read by others, too");
    const bool keeps = n.attr<bool>("keep_dims", false);
    const auto outer_axes = axes_of(n), inner_axes = axes_of(inner);
    if (!outer_axes || !inner_axes)
      return near("dimensions that are reduced are not constant, or the rank is not known");
    if (inner.attr<bool>("keep_dims", false) != keeps)
      return near("one of both reductions keeps its dimensions, the other does not");
    // Whole numbers are rounded at each step.
    if (n.is("ReduceMean") && !is_float(n.out_port().type())) return false;
    Axes all = *inner_axes;
    if (keeps) {
      all.insert(all.end(), outer_axes->begin(), outer_axes->end());
    } else {
      // What is left of x in its order, of which some go, too.
      Axes left;
      for (int64_t i = 0; i < inner.in_port(0).get_source().shape().rank(); ++i)
        if (!std::binary_search(inner_axes->begin(), inner_axes->end(), i)) left.push_back(i);
      for (const int64_t a : *outer_axes) all.push_back(left.at(static_cast<size_t>(a)));
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    // Of one dimension twice, a sum with keep_dims counts it once.
    read(g, n, inner.in_port(0).get_source(), all);
    drop(inner);
    return true;
  }

  bool take_transpose(const Graph& g, const Node& n) {
    const auto turn = made_by(n.in_port(0).get_source(), "Transpose");
    const auto axes = turn ? axes_of(n) : std::nullopt;
    if (!axes || !turn->in_node(1).is("Const") || turn->out_port().destination_count() != 1) return false;
    const Axes order = turn->in_port(1).value()->to_ints();
    Axes now, left;
    for (size_t i = 0; i < order.size(); ++i) {
      const bool goes = std::binary_search(axes->begin(), axes->end(), static_cast<int64_t>(i));
      if (goes) now.push_back(order[i]);
      // With kept dimensions everything stays at its place, or is of one element there.
      if (n.attr<bool>("keep_dims", false) ? !goes && order[i] != static_cast<int64_t>(i)
                                           : !goes && !left.empty() && order[i] < left.back())
        return false;
      if (!goes) left.push_back(order[i]);
    }
    std::sort(now.begin(), now.end());
    if (n.attr<bool>("keep_dims", false) && now != *axes) return false;
    read(g, n, turn->in_port(0).get_source(), now);
    drop(*turn);
    return true;
  }

  // Squeeze and Unsqueeze of the same dimensions behind it.
  void take_outer(const Graph& g, const Node& n) {
    const auto axes = axes_of(n);
    const auto reader = axes ? only_reader_of(n.out_port()) : std::nullopt;
    if (!reader || reader->out_count() != 1 || reader->in_port(0).get_source() != n.out_port()) return;
    const bool keeps = n.attr<bool>("keep_dims", false);
    if (!reader->is(keeps ? "Squeeze" : "Unsqueeze") || reader->in_count() != 2) return;
    if (!reader->in_node(1).is("Const")) return;
    const int64_t rank = n.in_port(0).get_source().shape().rank();
    Axes others = reader->in_port(1).value()->to_ints();
    for (int64_t& a : others) a = a < 0 ? a + rank : a;
    std::sort(others.begin(), others.end());
    if (others != *axes) {
      near("'", reader->name(), "' is about other dimensions");
      return;
    }
    if (keeps && is_float(n.out_port().type()) && meets_row_of_constants(*reader)) {
      near("what '", reader->name(), "' gives is combined with a row of constants: devices want it apart");
      return;
    }
    const Node made = g.create_node(n.op(), n.opset(), n.name() + "/kept",
                                    {n.in_port(0).get_source(), n.in_port(1).get_source()});
    made.set("keep_dims", !keeps);
    take_place(*reader, made.out_port(), {n});
  }
};

void register_fuse_reduces(Registry& r) { simplifying<FuseReduces>(r, Stage::fuse); }

}  // namespace mo::builtin_passes
