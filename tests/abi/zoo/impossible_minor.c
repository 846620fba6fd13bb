/* Needs more than it was built for. */
#include "zoo.h"

static mo_status load(mo_context* c) { return zoo_register_operation(c, "Op", "org.example.zoo"); }

const mo_plugin* mo_plugin_entry(void) {
  static mo_plugin plugin = ZOO_DESCRIPTOR("impossible-minor", load);
  plugin.abi_minor = 1;
  plugin.abi_lowest_minor = ZOO_FAULT(2, MO_LOWEST_MINOR);
  return &plugin;
}
