// The operator @Name@ becomes an operation that there is already: `mo-host list ops` shows them.
#include <mo/sdk.hpp>

namespace {

// Attributes in, attributes out: no shapes, no surgery on the graph.
void extract(mo::SourceNode& node) {
  node.set_op("Clamp", "opset1");
  // Without a default, an attribute that the model lacks is an error that names node and attribute.
  node.set("min", node.native<double>("@prefix@low", 0.0));
  node.set("max", node.native<double>("@prefix@high"));
}

}  // namespace

void register_@name@(mo::Registry& registry) {
  registry.extractor<extract>({"@framework@", "@extract_domain@", "@extract_name@"});
}
