// Transformations that belong to no framework, and the options that ask for them.
#include <mo/sdk.hpp>

namespace mo::builtin_passes {

#define MO_ITEM(name, file) void register_##name(mo::Registry&);
#include "builtin_passes_items.inc"
#undef MO_ITEM

// None is left of them in a build of what one model needs.
static void register_all([[maybe_unused]] mo::Registry& r) {
#define MO_ITEM(name, file) r.in_source(file), register_##name(r);
#include "builtin_passes_items.inc"
#undef MO_ITEM
}

}  // namespace mo::builtin_passes

MO_PLUGIN("org.mo-host.builtin_passes", MO_PLUGIN_VERSION, "mo-host", "Apache-2.0",
          "transformations for models of all frameworks", "", mo::builtin_passes::register_all)
