// Runs when a configuration file has an entry "@Name@", as tests/cases/@name@/transformations.json: every output is
// multiplied by the entry's `factor`.
#include <mo/sdk.hpp>

namespace {

struct @Name@ : mo::FrontReplacementFromConfigFileGeneral {
  @Name@() {
    replacement_id = "@Name@";
    doc = "outputs are multiplied by the factor that the entry says";
  }
  void transform_graph(mo::Graph graph, const mo::Json& attributes) override {
    const auto factor = mo::Tensor::filled(graph.context(), mo::ElementType::f32, {attributes.get("factor", 1.0)}, {});
    for (const mo::Node& result : graph.get_op_nodes("Result")) {
      const mo::OutPort last = result.in_port(0).get_source();
      const mo::Node by = graph.create_const(last.node().name() + "/factor", factor);
      const mo::Node product =
          graph.create_node("Multiply", "opset1", last.node().name() + "/scaled", {last, by.out_port()});
      result.in_port(0).set_source(product.out_port());
      product.out_port().set_tensor_names(last.tensor_names());  // outputs keep their names
      last.set_tensor_names({});
    }
  }
};

}  // namespace

void register_@name@(mo::Registry& registry) { registry.transformation<@Name@>(); }
