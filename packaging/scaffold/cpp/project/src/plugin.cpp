// What the plugin says of itself, and the list of what it has: items.inc is made of the files' names.
#include <mo/sdk.hpp>

#define ITEM(name) void register_##name(mo::Registry&);
#include "items.inc"
#undef ITEM

static void register_all([[maybe_unused]] mo::Registry& registry) {
#define ITEM(name) register_##name(registry);
#include "items.inc"
#undef ITEM
}

// Id, version, vendor, licence, one line on what it is, and where users find help: shown with errors.
MO_PLUGIN("@id@", MO_PLUGIN_VERSION, "@vendor@", "proprietary",
          "plugin @name@", "", register_all)
