// Releases that read IR version 10 only refuse two Results of one port: each further one reads a copy.
//   Result(x), Result(x)  ->  Result(x), Result(Convert(x))
// So does one that reads a Parameter: the names of a tensor are those of its layer in that version, and newer
// releases take an output that is called as an input for a collision.
// Which of them is the first is the order of all outputs of the model, which is no pattern's.
#include <mo/bodies.hpp>

#include "support/target.hpp"

#include <algorithm>
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
  void run_on_model(Graph g) override { separate(g, false); }

 private:
  static void separate(const Graph& g, bool is_body) {
    for (const Node& n : g.nodes())
      for (const char* prefix : {"", "then_", "else_"})
        if (n.find_attr<GraphHandle>(text(prefix, "body"))) separate(body_of(n, prefix), true);
    std::map<mo_node, std::set<uint32_t>> read;
    for (const Node& result : g.results()) {
      const OutPort source = result.in_port(0).get_source();
      if (!source) continue;
      auto& ports = read[source.node().id()];
      const bool again = !ports.insert(source.index()).second && !is_body;
      if (again || source.node().is("Parameter"))
        result.in_port(0).set_source(copy_of(g, result, source));
      else if (ports.size() > 1)
        pass_over(result, "it is the only one that reads output ", source.index(), " of '",
                  source.node().name(), "'");
    }
  }

  static OutPort copy_of(const Graph& g, const Node& result, const OutPort& source) {
    const Node maker = source.node();
    const std::string name = maker.name() + "/copy";
    if (maker.is("Const")) return g.create_const(name, *source.value()).out_port();
    const Node copy = g.create_node("Convert", "opset1", name, {source});
    copy.set("destination_type", source.type());
    copy.out_port().set_shape(source.type(), source.shape());
    if (maker.is("Parameter")) take_output_name(result, source, copy);
    return copy.out_port();
  }

  // What the model calls the output, by whatever names, is no name of the input any more, but for the input's own and
  // those of the outputs that still read it.
  static void take_output_name(const Node& result, const OutPort& input, const Node& copy) {
    const std::string called = name_of(result);
    std::set<std::string> kept = {input.node().name()};
    for (const Node& other : copy.graph().results())
      if (other != result && other.in_port(0).get_source() == input) kept.insert(name_of(other));
    auto names = input.tensor_names();
    const auto others = std::stable_partition(names.begin(), names.end(),
                                              [&](const std::string& name) { return kept.count(name) != 0; });
    copy.out_port().set_tensor_names({others, names.end()});
    names.erase(others, names.end());
    input.set_tensor_names(names);
    if (!called.empty() && !copy.graph().find(called)) copy.rename(called);
  }
  static std::string name_of(const Node& result) {
    return result.name().substr(0, result.name().find("/sink_port_"));
  }
};

void register_separate_results(Registry& r) { r.transformation<SeparateResults>(); }

}  // namespace mo::builtin_passes
