// Halves of the last dimension that gate one another, or are turned into one another by an angle, are made by
// VariadicSplit, which runtimes look for:
//   Split(x, 2)  ->  VariadicSplit(x, {n, n}), before Swish(a) * b, and before Concat(a * c - b * s, b * c +
//   a * s)
#include <mo/sdk.hpp>

#include "support/expressions.hpp"

namespace mo::builtin_passes {

class SplitHalvesByLengths : public MatcherPass {
 public:
  SplitHalvesByLengths() : MatcherPass(MO_PHASE_BACK) {
    id = "back.split_halves_by_lengths";
    doc = "halves of gates and of rotated positions are made by VariadicSplit";
    before = R"(
      %x = Parameter -> f32[?,8]
      %axis = Const -> i64[] {1}
      %h = Split@opset1 (%x, %axis) {num_splits=2} -> (_, _)
      %s = Swish@opset4 (%h:0)
      %y = Multiply@opset1 (%s, %h:1)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[?,8]
      %axis = Const -> i64[] {1}
      %n = Const -> i64[2] {4,4}
      %h = VariadicSplit@opset1 (%x, %axis, %n) -> (_, _)
      %s = Swish@opset4 (%h:0)
      %y = Multiply@opset1 (%s, %h:1)
      Result (%y))";
    run_after = {"back.simplify_again"};
    force_clean_up = true;
    // Its readers are four different patterns, and the Split is at the bottom of all of them.
    register_matcher(wrap_type({"Split"})->with("num_splits", 2)->where([](const OutPort& p) {
      const Node n = p.node();
      return gates(n) || turns(n) || turns_first(n) || is_turned_in_front(n);
    }),
                     [](const Graph& g, const Match& m) { split_by_lengths(g, m.root()); });
  }

 private:
  static void split_by_lengths(const Graph& g, const Node& n) {
    const Shape s = n.in_port(0).get_source().shape();
    const auto axis = n.in_port(1).value();
    only_when(s.has_rank() && s.size() != 0 && axis, "its axis, or the rank of what it splits, is not known");
    only_when(normalize_axis(axis->integer(0), s.size()) == s.size() - 1, "it splits along axis ",
              axis->integer(0), " of ", s.size(), "; runtimes look for halves of the last one");
    const Dim last = s.back();
    only_when(last.is_static(), "the length of the dimension that it splits is not known");
    only_when(is_float(n.out_port().type()), "halves of type ", name(n.out_port().type()),
              " are no gates or angles");
    // Counted from the front, which is how runtimes look for rotated positions.
    const auto front = static_cast<int64_t>(s.size() - 1);
    if (axis->integer(0) != front)
      n.in_port(1).set_source(g.create_int(n.name() + "/axis", front).out_port());
    const InPort lengths = n.add_input_port();
    lengths.set_source(g.create_ints(n.name() + "/lengths", {last.value() / 2, last.value() / 2}).out_port());
    n.erase("num_splits");
    n.set_op("VariadicSplit", "opset1");
  }

  static bool reads(const Node& product, const OutPort& a, const OutPort& b) {
    const OutPort x = product.in_port(0).get_source(), y = product.in_port(1).get_source();
    return (x == a && y == b) || (x == b && y == a);
  }

  static bool gates(const Node& n) {
    for (const size_t i : {0U, 1U})
      for (const InPort& reader : n.out_port(i).get_destinations()) {
        const Node gate = reader.node();
        if (!gate.is("Swish") && !gate.is("Gelu")) continue;
        for (const InPort& r : gate.out_port().get_destinations())
          if (r.node().is("Multiply") && reads(r.node(), gate.out_port(), n.out_port(1 - i))) return true;
      }
    return false;
  }

  // [-b, a], which is multiplied as a whole.
  static bool turns_first(const Node& n) {
    const auto negative = only_reader_of(n.out_port(1)), joined = only_reader_of(n.out_port(0));
    return negative && joined && negative->is("Negative") && joined->is("Concat") &&
           joined->in_count() == 2 && joined->in_node(0) == *negative && joined->in_node(1) == n;
  }

  // The second half stays as it is, behind what the first one was turned into.
  static bool is_turned_in_front(const Node& n) {
    const auto joined = only_reader_of(n.out_port(1));
    if (!joined || !joined->is("Concat") || joined->in_count() != 2 || joined->in_node(1) != n) return false;
    const Node turned = joined->in_node(0);
    if (!turned.is("Add")) return false;
    for (const size_t i : {0U, 1U}) {
      const Node product = turned.in_node(i);
      if (!product.is("Multiply")) return false;
      if (product.in_port(0).get_source() == n.out_port(0) ||
          product.in_port(1).get_source() == n.out_port(0))
        return true;
    }
    return false;
  }

  // Each half is multiplied twice, and what is added and subtracted is put side by side.
  static bool turns(const Node& n) {
    std::vector<Node> joined;
    for (const size_t i : {0U, 1U}) {
      const auto readers = n.out_port(i).get_destinations();
      if (readers.size() != 2) return false;
      for (const InPort& r : readers) {
        const auto sum = r.node().is("Multiply") ? only_reader_of(r.node().out_port()) : std::nullopt;
        if (!sum || (!sum->is("Add") && !sum->is("Subtract"))) return false;
        const auto end = only_reader_of(sum->out_port());
        if (!end || !end->is("Concat")) return false;
        joined.push_back(*end);
      }
    }
    for (const Node& j : joined)
      if (j != joined.front()) return false;
    return joined.front().in_count() == 2;
  }
};

void register_split_halves_by_lengths(Registry& r) { r.transformation<SplitHalvesByLengths>(); }

}  // namespace mo::builtin_passes
