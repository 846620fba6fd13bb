// What a loop reads in every iteration and is constant is part of its body:
//   Loop(count, condition, x, Const)   ->   Loop(count, condition, x)
#include <mo/sdk.hpp>

#include <mo/bodies.hpp>

namespace mo::tensorflow {

class MoveConstantsIntoLoops : public FrontReplacementOp {
 public:
  MoveConstantsIntoLoops() : FrontReplacementOp(MO_PHASE_MIDDLE) {
    id = "tf.middle.move_constants_into_loops";
    doc = "constants that a loop reads in every iteration are part of its body";
    before = "Loop(count, condition, x, Const)";
    after = "Loop(count, condition, x)";
    frameworks = {"tf"};
    ops = {"Loop", "TensorIterator"};
    force_clean_up = true;
  }
  void replace_sub_graph(Graph, Match& m) override {
    const Node n = m["op"];
    const Graph body = body_of(n);
    const auto parameters = body.parameters();
    const auto edges = n.attr("back_edges", std::vector<int64_t>{});
    std::vector<bool> gone(parameters.size(), false);
    for (const PortMapEntry& e : port_map_of(n)) {
      if (e.output || e.axis || e.external < (n.is("Loop") ? 2 : 0)) continue;
      const OutPort source = n.in_port(static_cast<size_t>(e.external)).get_source();
      if (!source || !source.node().is("Const") || !source.value()) continue;
      bool changes = false;
      for (size_t i = 1; i < edges.size(); i += 2) changes |= edges[i] == e.internal;
      if (changes) continue;
      const Node& p = parameters.at(static_cast<size_t>(e.internal));
      const Node made = body.create_const(source.node().name(), *source.value());
      p.out_port().get_connection().set_source(made.out_port(), Names::source);
      gone[static_cast<size_t>(e.internal)] = true;
    }
    if (std::count(gone.begin(), gone.end(), true) != 0) remove_body_parameters(n, gone);
  }
};

void register_move_constants_into_loops(Registry& r) { r.transformation<MoveConstantsIntoLoops>(); }

}  // namespace mo::tensorflow
