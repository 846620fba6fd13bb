// The operations of the OpenVINO operation sets: one file per operation or close family below ops/.
#include <mo/sdk.hpp>

#include "support/first_releases.hpp"

namespace mo::opset {

#define MO_ITEM(name, file) void register_##name(mo::Registry&);
#include "opset_items.inc"
#undef MO_ITEM

static void register_all(mo::Registry& r) {
#define MO_ITEM(name, file) r.in_source(file), register_##name(r);
#include "opset_items.inc"
#undef MO_ITEM
  offer_first_releases(r);
}

}  // namespace mo::opset

MO_PLUGIN("org.mo-host.opset", MO_PLUGIN_VERSION, "mo-host", "Apache-2.0",
          "operations of the OpenVINO operation sets", "", mo::opset::register_all)
