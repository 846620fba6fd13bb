// The plugin @name@. Its items, below ops, extract, front, middle and back, are found by their names.
#include <mo/sdk.hpp>

namespace mo::@name@ {

#define MO_ITEM(name, file) void register_##name(mo::Registry&);
#include "@name@_items.inc"
#undef MO_ITEM

static void register_all([[maybe_unused]] mo::Registry& r) {
#define MO_ITEM(name, file) r.in_source(file), register_##name(r);
#include "@name@_items.inc"
#undef MO_ITEM
}

}  // namespace mo::@name@

MO_PLUGIN("org.mo-host.@name@", MO_PLUGIN_VERSION, "mo-host", "Apache-2.0", "plugin @name@", "",
          mo::@name@::register_all)
