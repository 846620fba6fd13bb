// Squeeze {squeeze_dims}  ->  Squeeze(x, dims): extensions/front/SqueezeNormalize.py, generic front phase.
#include "seeds.hpp"

namespace seeds {

struct SqueezeNormalize : mo::FrontReplacementPattern {
  SqueezeNormalize() {
    id = "seeds.front.squeeze_normalize";
    doc = "the dimensions of Squeeze become its second input";
    before = "y = Squeeze(x) {squeeze_dims}";
    after = "y = Squeeze(x, dims)";
  }

  void find_and_replace_pattern(mo::Graph graph) override {
    for (const mo::Node& squeeze : graph.get_op_nodes("Squeeze")) {
      const auto dims = attribute<std::vector<int64_t>>(squeeze, "squeeze_dims", {});
      if (squeeze.is_in_port_connected(1)) {
        graph.context().log(MO_LOG_DEBUG, mo::text("Squeeze '", squeeze.name(), "' is already normalized"));
      } else if (dims.empty()) {  // all dimensions of size 1: the operation may have one input
        graph.context().log(MO_LOG_DEBUG, mo::text("Squeeze '", squeeze.name(), "' names no dimensions"));
      } else {
        const mo::InPort in = squeeze.in_count() > 1 ? squeeze.in_port(1) : squeeze.add_input_port();
        in.connect(graph.create_ints(squeeze.name() + "/Dims", dims));
        squeeze.erase("squeeze_dims");
        squeeze.set_op("Squeeze", "opset1");  // nobody else needs to translate it
      }
    }
  }
};

void register_squeeze_normalize(mo::Registry& registry) { registry.transformation<SqueezeNormalize>(); }

}  // namespace seeds
