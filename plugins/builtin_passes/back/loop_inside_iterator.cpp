// Runtimes refuse a TensorIterator that lies directly in the body of another one:
//   TensorIterator {… TensorIterator {…}}  ->  TensorIterator {… Loop {…}}
#include <mo/bodies.hpp>
#include <mo/build.hpp>

namespace mo::builtin_passes {

class LoopInsideIterator : public FrontReplacementOp {
 public:
  LoopInsideIterator() : FrontReplacementOp(MO_PHASE_BACK) {
    id = "back.loop_inside_iterator";
    doc = "a TensorIterator in the body of another one becomes a Loop";
    before = R"(
      %x = Parameter -> f32[2,3]
      %y = TensorIterator@opset1 (%x) {port_map=["in 0 -> 0 axis=1", "out 0 <- 0 axis=1"], body=graph {
        %a = Parameter -> f32[2,1]
        %c = TensorIterator@opset1 (%a) {port_map=["in 0 -> 0 axis=0", "out 0 <- 0 axis=0"], body=graph {
          %b = Parameter -> f32[1,1]
          %d = Exp@opset1 (%b)
          Result (%d) }}
        Result (%c) }}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,3]
      %y = TensorIterator@opset1 (%x) {port_map=["in 0 -> 0 axis=1", "out 0 <- 0 axis=1"], body=graph {
        %a = Parameter -> f32[2,1]
        %n = Const -> i64[] {2}
        %go = Const -> boolean[] {true}
        %c = Loop@opset5 (%n, %go, %a) {port_map=["in 2 -> 0 axis=0", "out 0 <- 0 axis=0", "out -1 <- 1 purpose=execution_condition"], body=graph {
          %b = Parameter -> f32[1,1]
          %d = Exp@opset1 (%b)
          Result (%d)
          %on = Const -> boolean[] {true}
          Result (%on) }}
        Result (%c) }}
      Result (%y))";
    ops = {"TensorIterator"};
    run_after = {"back.simplify_again", "back.make_sequences", "back.turn_loops", "back.count_slice_axes",
                 "back.remove_unused_body_inputs"};
    force_shape_inference = true;
  }
  void replace_sub_graph(Graph g, Match& m) override {
    const Node n = m["op"];
    const Node outer = n.graph().parent();
    only_when(outer && outer.is("TensorIterator"), "it does not lie in the body of another TensorIterator");
    std::vector<PortMapEntry> entries = port_map_of(n);
    const auto cut = std::find_if(entries.begin(), entries.end(),
                                  [](const PortMapEntry& e) { return !e.output && e.axis.has_value(); });
    only_when(cut != entries.end(), "none of its inputs is cut into the slices that count its turns");
    for (const PortMapEntry& e : entries)
      only_when(!e.axis || (e.part_size == 1 && (e.stride == 1 || e.stride == -1)), "its slices are ",
                e.part_size, " long, in steps of ", e.stride);
    only_when(covers(*cut), "its slices do not go from one end to the other");
    const Build b(g, n);
    const OutPort x = n.in_port(static_cast<size_t>(cut->external)).get_source();
    const Shape s = x.shape();
    only_when(s.has_rank(), "the rank of what it cuts is not known");
    const Dim size = s[normalize_axis(*cut->axis, s.size())];
    const OutPort count = size.is_static() ? b.integer(size.value()) : b.squeeze(b.dim(x, *cut->axis), {0});
    std::vector<OutPort> inputs{count, truth(g, n.name() + "/condition")};
    for (const InPort& in : n.in_ports()) inputs.push_back(in.get_source());
    for (PortMapEntry& e : entries)
      if (!e.output && e.external >= 0) e.external += 2;
    const Graph body = body_of(n);
    const auto results = static_cast<int64_t>(body.results().size());
    body.create_node("Result", "opset1", "condition/result", {truth(body, "condition")}, 0);
    entries.push_back(output_entry(-1, results, {}, "execution_condition"));
    while (n.in_count() < inputs.size()) n.add_input_port();
    for (size_t i = 0; i < inputs.size(); ++i) n.in_port(i).set_source(inputs[i]);
    n.set_op("Loop", "opset5");
    set_port_map(n, entries);
  }

 private:
  static bool covers(const PortMapEntry& e) {
    return e.stride == 1 ? e.start == 0 && e.end == -1 : e.start == -1 && e.end == 0;
  }
  static OutPort truth(const Graph& g, const std::string& name) {
    return g.create_const(name, Tensor::filled(g.context(), ElementType::boolean, {1}, {})).out_port();
  }
};

void register_loop_inside_iterator(Registry& r) { r.transformation<LoopInsideIterator>(); }

}  // namespace mo::builtin_passes
