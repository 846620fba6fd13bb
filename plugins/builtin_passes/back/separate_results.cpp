// Releases that read IR version 10 only refuse two Results of one port: each further one reads a copy.
//   Result(x), Result(x)  ->  Result(x), Result(Convert(x))
// Which of them is the first is the order of all outputs of the model, which is no pattern's.
#include "support/target.hpp"

#include <map>
#include <set>

namespace mo::builtin_passes {

class SeparateResults : public ModelPass {
 public:
  SeparateResults() : ModelPass(MO_PHASE_BACK) {
    id = "back.separate_results";
    doc = "each further Result of a port reads a copy, for releases that take only one";
    before = R"(
      %x = Parameter -> f32[2,3]
      %y = Exp@opset1 (%x)
      Result (%y)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,3]
      %y = Exp@opset1 (%x)
      Result (%y)
      %z = Convert@opset1 (%y) {destination_type=f32}
      Result (%z))";
    run_after = {"back.simplify_again"};
    run_not_recursively = true;
  }
  // An IR of that version is written as one again.
  bool graph_condition(Graph g) override { return writes_version_10(g); }
  void run_on_model(Graph g) override {
    std::map<mo_node, std::set<uint32_t>> read;
    for (const Node& result : g.results()) {
      const OutPort source = result.in_port(0).get_source();
      if (!source) continue;
      auto& ports = read[source.node().id()];
      if (!ports.insert(source.index()).second)
        result.in_port(0).set_source(copy_of(g, source));
      else if (ports.size() > 1)
        pass_over(result, "it is the only one that reads output ", source.index(), " of '",
                  source.node().name(), "'");
    }
  }

 private:
  static OutPort copy_of(const Graph& g, const OutPort& source) {
    const Node maker = source.node();
    const std::string name = maker.name() + "/copy";
    if (maker.is("Const")) return g.create_const(name, *source.value()).out_port();
    const Node copy = g.create_node("Convert", "opset1", name, {source});
    copy.set("destination_type", source.type());
    copy.out_port().set_shape(source.type(), source.shape());
    return copy.out_port();
  }
};

void register_separate_results(Registry& r) { r.transformation<SeparateResults>(); }

}  // namespace mo::builtin_passes
