/* What the plugin says of itself, and the list of what it has: items.inc is made of the files' names. */
#include "plugin.h"

#define ITEM(name) mo_status register_##name(mo_context*);
#include "items.inc"
#undef ITEM

/* The host copies everything that is registered before the call returns. */
static mo_status load(mo_context* c) {
  mo_status status = MO_OK;
  (void)c;
#define ITEM(name) \
  if (status == MO_OK) status = register_##name(c);
#include "items.inc"
#undef ITEM
  return status;
}

#define TEXT(literal) \
  { (literal), sizeof(literal) - 1 }

MO_PLUGIN_NOTE("@id@", MO_PLUGIN_VERSION)

/* Id, version, vendor, licence, one line on what it is, and where users find help: shown with errors. */
const mo_plugin* mo_plugin_entry(void) {
  static const mo_plugin plugin = {sizeof(mo_plugin),
                                   MO_ABI_MAJOR,
                                   MO_TARGET_MINOR, /* built for this ABI, */
                                   MO_LOWEST_MINOR, /* which needs this much of it */
                                   MO_ABI_CANDIDATE,
                                   TEXT("@id@"),
                                   TEXT(MO_PLUGIN_VERSION),
                                   TEXT("@vendor@"),
                                   TEXT("proprietary"),
                                   TEXT("plugin @name@"),
                                   TEXT(""),
                                   load,
                                   NULL};
  return &plugin;
}
