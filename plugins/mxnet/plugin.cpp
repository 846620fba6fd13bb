// Reads MXNet models: the loader, extractors of operators that have a counterpart in the operation sets, and
// front transformations for operators that become several operations.
#include "loader/front_end.hpp"
#include "loader/options.hpp"

#include <mo/sdk.hpp>

namespace mo::mxnet {

#define MO_ITEM(name, file) void register_##name(Registry&);
#include "mxnet_items.inc"
#undef MO_ITEM

static void register_contents([[maybe_unused]] Registry& r) {
#define MO_ITEM(name, file) r.in_source(file), register_##name(r);
#include "mxnet_items.inc"
#undef MO_ITEM
}

static void register_all(Registry& r) {
  r.frontend<MxnetFrontEnd>(register_contents);
  register_options(r);
}

}  // namespace mo::mxnet

MO_PLUGIN("org.mo-host.mxnet", MO_PLUGIN_VERSION, "mo-host", "Apache-2.0", "reads MXNet models", "",
          mo::mxnet::register_all)
