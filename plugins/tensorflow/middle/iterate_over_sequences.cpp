// A Loop that runs once for each slice of what it reads needs neither a trip count nor a condition:
//   Loop(n, true, x, sequence of n)   ->   TensorIterator(x, sequence)
#include <mo/sdk.hpp>

#include <mo/bodies.hpp>

namespace mo::tensorflow {

class IterateOverSequences : public FrontReplacementOp {
 public:
  IterateOverSequences() : FrontReplacementOp(MO_PHASE_MIDDLE) {
    id = "tf.middle.iterate_over_sequences";
    doc = "a Loop with one iteration for each slice of its inputs is a TensorIterator";
    before = "Loop(n, true, x, sequence)";
    after = "TensorIterator(x, sequence)";
    frameworks = {"tf"};
    op = "opset5::Loop";
    run_after = {"tf.middle.move_constants_into_loops", "tf.middle.drop_empty_parts"};
    force_clean_up = true;
  }
  void replace_sub_graph(Graph, Match& m) override {
    const Node n = m["op"];
    only_when(runs_for_each_slice(n), "it does not run once for each slice of what it reads");
    change(n);
  }

 private:
  static bool is_true(const OutPort& p) {
    const auto value = p ? p.value() : std::nullopt;
    return value && value->size() == 1 && value->integer(0) != 0;
  }

  // The number a port holds for all inputs of these shapes.
  static std::optional<int64_t> known(const OutPort& p) {
    if (const auto value = p.value(); value && value->size() == 1) return value->integer(0);
    const auto bounds = p.bounds();
    return bounds && bounds->size() == 1 && bounds->front().is_exact() ? std::optional(bounds->front().min)
                                                                       : std::nullopt;
  }

  // p without what leaves a number that is not negative as it is.
  static OutPort plain(OutPort p) {
    for (;;) {
      const Node n = p.node();
      const std::string op = n.op_name();
      if (op == "Convert" || op == "Reshape" || op == "Squeeze" || op == "Unsqueeze") {
        p = n.in_port(0).get_source();
      } else if (op == "Maximum" && known(n.in_port(1).get_source()) == 0) {
        p = n.in_port(0).get_source();
      } else {
        return p;
      }
    }
  }
  // The first dimension of `sequence`, whatever it is.
  static bool counts(const OutPort& count, const OutPort& sequence) {
    const Node pick = plain(count).node();
    const std::string op = pick.op_name();
    const auto is = [&](size_t i, int64_t v) {
      return pick.in_count() > i && known(pick.in_port(i).get_source()) == v;
    };
    const bool first = (op == "StridedSlice" && is(1, 0) && is(2, 1)) || (op == "Gather" && is(1, 0));
    if (!first) return false;
    const Node shape = plain(pick.in_port(0).get_source()).node();
    return shape.is("ShapeOf") && shape.in_port(0).get_source() == sequence;
  }

  static bool runs_for_each_slice(const Node& n) {
    if (!is_true(n.in_port(1).get_source())) return false;
    const auto results = body_of(n).results();
    const OutPort count = n.in_port(0).get_source();
    const auto number = known(count);
    bool sliced = false;
    for (const PortMapEntry& e : port_map_of(n)) {
      if (e.output && e.purpose == "execution_condition" &&
          !is_true(results.at(static_cast<size_t>(e.internal)).in_port(0).get_source()))
        return false;
      if (e.output) continue;
      if (e.external < 2) return false;  // it reads the number of the iteration, or the condition
      if (!e.axis) continue;
      const OutPort sequence = n.in_port(static_cast<size_t>(e.external)).get_source();
      const Shape s = sequence.shape();
      const bool whole = e.start == 0 && e.end == -1 && e.stride == 1 && e.part_size == 1;
      if (!whole || !s.has_rank() || *e.axis != 0 || s.rank() == 0) return false;
      const bool fits = (number && s[0] == Dim(*number)) || counts(count, sequence);
      if (!fits) return false;
      sliced = true;
    }
    return sliced;
  }

  static void change(const Node& n) {
    const auto entries = port_map_of(n);
    const auto condition = std::find_if(entries.begin(), entries.end(), [](const PortMapEntry& e) {
      return e.output && e.purpose == "execution_condition";
    });
    const int64_t gone = condition == entries.end() ? INT64_MAX : condition->internal;
    const auto moved = [gone](int64_t result) { return result > gone ? result - 1 : result; };
    std::vector<PortMapEntry> kept;
    for (PortMapEntry e : entries) {
      if (e.output && e.purpose == "execution_condition") continue;
      if (e.output)
        e.internal = moved(e.internal);
      else
        e.external -= 2;
      kept.push_back(e);
    }
    auto edges = n.attr("back_edges", std::vector<int64_t>{});
    for (size_t i = 0; i < edges.size(); i += 2) edges[i] = moved(edges[i]);
    if (gone != INT64_MAX) {
      const Node result = body_of(n).results().at(static_cast<size_t>(gone));
      const Node from = result.in_port(0).get_source().node();
      result.remove();
      if (from.is("Const") && from.out_port().disconnected()) from.remove();
    }
    set_port_map(n, kept);
    if (!edges.empty()) n.set("back_edges", edges);
    n.delete_input_port(1);
    n.delete_input_port(0);
    n.set_op("TensorIterator", "opset1");
  }
};

void register_iterate_over_sequences(Registry& r) { r.transformation<IterateOverSequences>(); }

}  // namespace mo::tensorflow
