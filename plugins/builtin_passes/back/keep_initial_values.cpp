// A loop that never runs gives what its states were before it. Devices up to 2025.4 leave the memory of its outputs as it
// was, so the choice is written:
//   Loop(count, go, x)  ->  Select(go, Loop(count, go, x), x)
#include <mo/bodies.hpp>
#include <mo/build.hpp>

#include "support/fuse_transposes.hpp"
#include "support/target.hpp"

#include <algorithm>

namespace mo::builtin_passes {

class KeepInitialValues : public MatcherPass {
 public:
  KeepInitialValues() : MatcherPass(MO_PHASE_BACK) {
    id = "back.keep_initial_values";
    doc = "the states of a loop that may never run are chosen from those before it";
    before = R"(
      %x = Parameter -> f32[2]
      %go = Parameter -> boolean[1]
      %n = Const -> i64[] {-1}
      %y = Loop@opset5 (%n, %go, %x) {port_map=["in 2 -> 0", "out 0 <- 0", "out -1 <- 1 purpose=execution_condition"], back_edges=[0,0], body=graph {
        %i = Parameter -> f32[2]
        %s = Sin@opset1 (%i)
        %c = Const -> boolean[1] {false}
        Result (%s)
        Result (%c)
      }}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2]
      %go = Parameter -> boolean[1]
      %n = Const -> i64[] {-1}
      %y = Loop@opset5 (%n, %go, %x) {port_map=["in 2 -> 0", "out 0 <- 0", "out -1 <- 1 purpose=execution_condition"], back_edges=[0,0], body=graph {
        %i = Parameter -> f32[2]
        %s = Sin@opset1 (%i)
        %c = Const -> boolean[1] {false}
        Result (%s)
        Result (%c)
      }}
      %axis = Const -> i64[1] {0}
      %ran = Squeeze@opset1 (%go, %axis)
      %chosen = Select@opset1 (%ran, %y, %x)
      Result (%chosen))";
    run_after = {"back.simplify_again", "back.turn_loops"};
    force_shape_inference = true;
    register_matcher(wrap_type({"Loop"}), [](const Graph& g, const Match& m) { keep(g, m.root()); });
  }
  bool graph_condition(Graph g) override { return targets_up_to(g.context(), "2025.4"); }

 private:
  static void keep(const Graph& g, const Node& n) {
    const auto count = n.in_port(0).value(), go = n.in_port(1).value();
    only_when(count && count->size() == 1 && count->to_ints().front() != 0,
              "how often it runs at most is not known");
    only_when(!go, "whether it runs at all is known");
    const Build b(g, n);
    const OutPort condition = b.in(1);
    only_when(condition.shape().has_rank() && condition.shape().rank() <= 1,
              "its condition is no single truth value");
    const auto edges = n.attr("back_edges", std::vector<int64_t>{});
    const auto entries = port_map_of(n);
    OutPort ran;
    for (const PortMapEntry& e : entries) {
      if (!e.output || e.external < 0 || e.axis) continue;
      const OutPort last = n.out_port(static_cast<size_t>(e.external));
      const auto first = first_of(n, entries, edges, e.internal);
      auto readers = last.get_destinations();
      readers.erase(std::remove_if(readers.begin(), readers.end(), is_chosen), readers.end());
      if (!first || readers.empty() || !last.shape().is_static() || first->shape() != last.shape()) continue;
      if (!ran)
        ran = condition.shape().rank() == 0 ? condition : b.op("Squeeze", "opset1", {condition, b.list({0})});
      const OutPort chosen = b.select(ran, last, *first);
      chosen.set_shape(last.type(), last.shape());
      for (const InPort& reader : readers) reader.set_source(chosen);
      give_tensor_names(last, chosen);
    }
    only_when(static_cast<bool>(ran), "it has no state whose shape is known before and behind it");
  }

  // By a Select that is there already.
  static bool is_chosen(const InPort& reader) { return reader.node().is("Select") && reader.index() == 1; }

  // What a state is before the loop whose last value is Result `result` of the body.
  static std::optional<OutPort> first_of(const Node& n, const std::vector<PortMapEntry>& entries,
                                         const std::vector<int64_t>& edges, int64_t result) {
    for (size_t i = 0; i + 1 < edges.size(); i += 2) {
      if (edges[i] != result) continue;
      for (const PortMapEntry& e : entries)
        if (!e.output && e.internal == edges[i + 1] && e.external >= 0 && !e.axis)
          return n.in_port(static_cast<size_t>(e.external)).get_source();
    }
    return std::nullopt;
  }
};

void register_keep_initial_values(Registry& r) { r.transformation<KeepInitialValues>(); }

}  // namespace mo::builtin_passes
