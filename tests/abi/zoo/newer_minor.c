/* Built for a later ABI and cannot do without it. */
#include "zoo.h"

static mo_status load(mo_context* c) { return zoo_register_operation(c, "Op", "org.example.zoo"); }

const mo_plugin* mo_plugin_entry(void) {
  static mo_plugin plugin = ZOO_DESCRIPTOR("newer-minor", load);
  plugin.abi_minor = 9;
  plugin.abi_lowest_minor = ZOO_FAULT(8, MO_LOWEST_MINOR);
  return &plugin;
}
