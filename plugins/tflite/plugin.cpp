// Reads TensorFlow Lite models: the loader, one extractor per operator that has a counterpart in the
// operation sets, and front transformations for operators that become several operations.
#include "loader/front_end.hpp"

#include <mo/sdk.hpp>

namespace mo::tflite {

#define MO_ITEM(name, file) void register_##name(mo::Registry&);
#include "tflite_items.inc"
#undef MO_ITEM

static void register_contents([[maybe_unused]] mo::Registry& r) {
#define MO_ITEM(name, file) r.in_source(file), register_##name(r);
#include "tflite_items.inc"
#undef MO_ITEM
}

static void register_all(mo::Registry& r) {
  r.frontend<TfliteFrontEnd>(register_contents);
  r.option("signature", MO_OPTION_STRING,
           "TensorFlow Lite: the signature whose inputs and outputs are the model's; the first sub-graph "
           "when absent");
}

}  // namespace mo::tflite

MO_PLUGIN("org.mo-host.tflite", MO_PLUGIN_VERSION, "mo-host", "Apache-2.0", "reads TensorFlow Lite models",
          "", mo::tflite::register_all)
