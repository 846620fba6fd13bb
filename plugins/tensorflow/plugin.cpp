// Reads TensorFlow models: the loader, one extractor per operator that has a counterpart in the operation
// sets, and front transformations for operators that become several operations.
#include "loader/front_end.hpp"

#include <mo/sdk.hpp>

namespace mo::tensorflow {

#define MO_ITEM(name) void register_##name(mo::Registry&);
#include "tensorflow_items.inc"
#undef MO_ITEM

static void register_all(mo::Registry& r) {
  r.frontend<TensorflowFrontEnd>();
#define MO_ITEM(name) register_##name(r);
#include "tensorflow_items.inc"
#undef MO_ITEM
}

}  // namespace mo::tensorflow

MO_PLUGIN("org.mo-host.tensorflow", MO_PLUGIN_VERSION, "mo-host", "Apache-2.0", "reads TensorFlow models", "",
          mo::tensorflow::register_all)
