// The plugin @name@. Its items lie in ops, extract, front, middle and back, and are found by their files' names.
#include <mo/sdk.hpp>

namespace mo::@name@ {

#define MO_ITEM(name) void register_##name(mo::Registry&);
#include "@name@_items.inc"
#undef MO_ITEM

static void register_all([[maybe_unused]] mo::Registry& r) {
#define MO_ITEM(name) register_##name(r);
#include "@name@_items.inc"
#undef MO_ITEM
}

}  // namespace mo::@name@

MO_PLUGIN("org.mo-host.@name@", MO_PLUGIN_VERSION, "mo-host", "Apache-2.0", "plugin @name@", "",
          mo::@name@::register_all)
