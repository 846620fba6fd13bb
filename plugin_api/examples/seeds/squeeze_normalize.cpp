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
      const auto dims = squeeze.find_attr<std::vector<int64_t>>("squeeze_dims");
      if (squeeze.is_in_port_connected(1)) {
        graph.context().log(MO_LOG_DEBUG, mo::text("Squeeze '", squeeze.name(), "' is already normalized"));
      } else if (squeeze.is_in_port_connected(0) && dims) {
        const mo::InPort in = squeeze.in_count() > 1 ? squeeze.in_port(1) : squeeze.add_input_port();
        in.connect(graph.create_ints(squeeze.name() + "/Dims", *dims));
        squeeze.erase("squeeze_dims");
      } else {
        throw mo::Error(mo::text("Squeeze '", squeeze.name(),
                                 "' should have two inputs, or one and the attribute 'squeeze_dims'"),
                        MO_ERROR, squeeze.id());
      }
    }
  }
};

void register_squeeze_normalize(mo::Registry& registry) { registry.transformation<SqueezeNormalize>(); }

}  // namespace seeds
