// Recurrent cells that step through a sequence one after another are the operation for sequences:
//   h1 = GRUCell(x1, h0, W), h2 = GRUCell(x2, h1, W), h3 = GRUCell(x3, h2, W)
//     ->  GRUSequence(Concat(x1, x2, x3), h0, W)
// A pattern has a number of operations; here there are as many as there are steps.
#include <mo/build.hpp>

#include "support/eliminate.hpp"
#include "support/equal_constants.hpp"
#include "support/move_attributes.hpp"
#include "support/simplifying.hpp"

#include <algorithm>
#include <unordered_set>

namespace mo::builtin_passes {

class JoinUnrolledCells : public ModelPass {
 public:
  JoinUnrolledCells() : ModelPass(MO_PHASE_BACK) {
    id = "back.join_unrolled_cells";
    doc =
        "cells that step through a sequence one after another become GRUSequence, LSTMSequence or "
        "RNNSequence";
    before = R"(
      %x = Parameter -> f32[1,3,2]
      %h = Parameter -> f32[1,1]
      %axis = Const -> i64[] {1}
      %s = Split@opset1 (%x, %axis) {num_splits=3} -> (_, _, _)
      %one = Const -> i64[1] {1}
      %x0 = Squeeze@opset1 (%s, %one)
      %x1 = Squeeze@opset1 (%s:1, %one)
      %x2 = Squeeze@opset1 (%s:2, %one)
      %w = Const -> f32[1,2] {0.5,-0.25}
      %r = Const -> f32[1,1] {0.5}
      %k = Const -> f32[1] {0.25}
      %a = RNNCell@opset3 (%x0, %h, %w, %r, %k) {hidden_size=1}
      %b = RNNCell@opset3 (%x1, %a, %w, %r, %k) {hidden_size=1}
      %y = RNNCell@opset3 (%x2, %b, %w, %r, %k) {hidden_size=1}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,3,2]
      %h = Parameter -> f32[1,1]
      %axis = Const -> i64[] {1}
      %s = Split@opset1 (%x, %axis) {num_splits=3} -> (_, _, _)
      %one = Const -> i64[1] {1}
      %x0 = Squeeze@opset1 (%s, %one)
      %x1 = Squeeze@opset1 (%s:1, %one)
      %x2 = Squeeze@opset1 (%s:2, %one)
      %o0 = Const -> i64[1] {1}
      %u0 = Unsqueeze@opset1 (%x0, %o0)
      %o1 = Const -> i64[1] {1}
      %u1 = Unsqueeze@opset1 (%x1, %o1)
      %o2 = Const -> i64[1] {1}
      %u2 = Unsqueeze@opset1 (%x2, %o2)
      %all = Concat@opset1 (%u0, %u1, %u2) {axis=1}
      %o3 = Const -> i64[1] {1}
      %start = Unsqueeze@opset1 (%h, %o3)
      %lengths = Const -> i64[1] {3}
      %w = Const -> f32[1,1,2] {0.5,-0.25}
      %r = Const -> f32[1,1,1] {0.5}
      %k = Const -> f32[1,1] {0.25}
      %q = RNNSequence@opset5 (%all, %start, %lengths, %w, %r, %k) {hidden_size=1, direction="forward"} -> (_, _)
      %o4 = Const -> i64[1] {1}
      %y = Squeeze@opset1 (%q:1, %o4)
      Result (%y))";
    // Within it, in fact: when all cells of the sequence have been found.
    run_after = {"back.simplify_again"};
    force_clean_up = true;
    force_shape_inference = true;
  }
  void run_on_model(Graph g) override {
    for (const char* type : {"opset4::LSTMCell", "opset3::GRUCell", "opset3::RNNCell"}) {
      std::unordered_set<mo_node> done;
      for (const Node& n : g.get_op_nodes(type)) {
        if (done.count(n.id()) != 0) continue;
        const Nodes chain = chain_around(n);
        for (const Node& cell : chain) done.insert(cell.id());
        if (chain.size() < fewest) {
          if (chain.size() > 1)
            pass_over(n, chain.size(), " cells follow one another; a sequence is worth it from ", fewest,
                      " on");
        } else if (is_free(chain)) {
          join(g, chain);
        } else {
          pass_over(n, "what a later of the ", chain.size(),
                    " cells reads is computed from an earlier one, or no table");
        }
      }
    }
  }

 private:
  using Nodes = std::vector<Node>;
  static constexpr size_t fewest = 3;

  static size_t states_of(const Node& cell) { return cell.is("LSTMCell") ? 2 : 1; }

  // All cells of the sequence that this one is in, from the first step on.
  static Nodes chain_around(const Node& cell) {
    Node first = cell;
    std::unordered_set<mo_node> seen{cell.id()};  // a damaged graph may have circles
    for (Node earlier = step_before(first); earlier && seen.insert(earlier.id()).second;
         earlier = step_before(first))
      first = earlier;
    Nodes chain{first};
    seen = {first.id()};
    for (Node next = step_behind(first); next && seen.insert(next.id()).second; next = step_behind(next))
      chain.push_back(next);
    return chain;
  }
  static Node step_before(const Node& cell) {
    const OutPort state = source_of(cell, 1);
    return state && state.index() == 0 && follows(state.node(), cell) ? state.node() : Node();
  }
  static Node step_behind(const Node& cell) {
    Node next;
    for (const InPort& reader : cell.out_port(0).get_destinations()) {
      if (reader.index() != 1 || !follows(cell, reader.node())) continue;
      if (next) return {};  // two go on from here
      next = reader.node();
    }
    return next;
  }

  static bool follows(const Node& cell, const Node& next) {
    if (cell.op() != next.op() || cell.opset() != next.opset() || cell.in_count() != next.in_count() ||
        cell.id() == next.id())
      return false;
    const size_t states = states_of(cell);
    for (size_t i = 0; i < states; ++i)
      if (source_of(next, static_cast<uint32_t>(1 + i)) != cell.out_port(i)) return false;
    // What is kept beside the result is not given by a sequence.
    if (states == 2 && cell.out_port(1).destination_count() != 1) return false;
    for (size_t i = 1 + states; i < cell.in_count(); ++i)
      if (!is_same(source_of(cell, static_cast<uint32_t>(i)), source_of(next, static_cast<uint32_t>(i))))
        return false;
    if (source_of(cell, 0).shape() != source_of(next, 0).shape()) return false;
    return has_same<int64_t>(cell, next, "hidden_size") && has_same<double>(cell, next, "clip") &&
           has_same<std::vector<std::string>>(cell, next, "activations") &&
           has_same<std::vector<double>>(cell, next, "activations_alpha") &&
           has_same<std::vector<double>>(cell, next, "activations_beta") &&
           has_same<bool>(cell, next, "linear_before_reset");
  }
  template <class T>
  static bool has_same(const Node& a, const Node& b, const char* name) {
    return a.find_attr<T>(name) == b.find_attr<T>(name);
  }
  static bool is_same(const OutPort& a, const OutPort& b) {
    if (!a || !b) return false;
    if (a == b) return true;
    return a.node().is("Const") && b.node().is("Const") &&
           equal_constants(a.context(), *a.value(), *b.value());
  }

  // Whether no step reads what is computed from an earlier one, other than the state.
  static bool is_free(const Nodes& chain) {
    std::unordered_set<mo_node> cells, seen;
    for (const Node& cell : chain) cells.insert(cell.id());
    Nodes open;
    const auto visit = [&](const Node& n) {
      if (n && seen.insert(n.id()).second) open.push_back(n);
    };
    for (const Node& cell : chain) {
      const OutPort x = source_of(cell, 0);
      if (!x || x.shape().rank() != 2) return false;
      visit(x.node());
    }
    while (!open.empty()) {
      const Node n = open.back();
      open.pop_back();
      if (cells.count(n.id()) != 0) return false;
      for (size_t i = 0; i < n.in_count(); ++i)
        if (const OutPort s = source_of(n, static_cast<uint32_t>(i))) visit(s.node());
    }
    return true;
  }

  static void join(const Graph& g, const Nodes& chain) {
    const Node &first = chain.front(), &last = chain.back();
    const Build b(g, last);
    const size_t states = states_of(first);
    Ports steps;
    for (const Node& cell : chain) steps.push_back(b.unsqueeze(source_of(cell, 0), b.list({1})));
    Ports inputs{b.concat(steps, 1)};
    for (size_t i = 0; i < states; ++i)
      inputs.push_back(b.unsqueeze(source_of(first, static_cast<uint32_t>(1 + i)), b.list({1})));
    const Node lengths = b.node(
        "Broadcast", "opset3", {b.list({static_cast<int64_t>(chain.size())}), b.dim(source_of(first, 0), 0)});
    lengths.set("mode", "numpy");
    inputs.push_back(lengths.out_port());
    for (size_t i = 1 + states; i < first.in_count(); ++i) {
      const OutPort w = source_of(first, static_cast<uint32_t>(i));
      inputs.push_back(b.unsqueeze(w.node().is("Const") ? b.constant(*w.value()) : w, b.list({0})));
    }
    std::string type = first.op();
    type.replace(type.find("Cell"), 4, "Sequence");
    const Node made = b.node(type, "opset5", inputs, static_cast<uint32_t>(1 + states));
    move_attributes(first, made);
    made.set("direction", "forward");
    copy_runtime_info(chain, {made});
    // The results of single steps that something else reads.
    const bool each = std::any_of(chain.begin(), chain.end() - 1,
                                  [](const Node& cell) { return cell.out_port(0).destination_count() > 1; });
    if (each) {
      const Node split = b.node("Split", "opset1", {b.squeeze(made.out_port(0), {1}), b.integer(1)},
                                static_cast<uint32_t>(chain.size()));
      split.set("num_splits", static_cast<int64_t>(chain.size()));
      for (size_t t = 0; t < chain.size(); ++t)
        if (chain[t].out_port(0).destination_count() > (t + 1 < chain.size() ? 1U : 0U))
          hand_over(chain[t], 0, Build(g, chain[t]).squeeze(OutPort(split, static_cast<uint32_t>(t)), {1}));
    }
    for (size_t i = each ? 1 : 0; i < states; ++i)
      if (!last.out_port(i).disconnected()) hand_over(last, i, b.squeeze(made.out_port(1 + i), {1}));
  }

  static void hand_over(const Node& cell, size_t output, const OutPort& made) {
    const OutPort old = cell.out_port(output);
    made.set_shape(old.type(), old.shape());
    old.get_connection().set_source(made);
    if (output == 0) take_name(cell, made.node());
  }
};

void register_join_unrolled_cells(Registry& r) { simplifying<JoinUnrolledCells>(r, Stage::transposes); }

}  // namespace mo::builtin_passes
