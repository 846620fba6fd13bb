/* Built for the first count of ABI 1.0: what is abi_candidate now was reserved then, and 0. */
#include "zoo.h"

static mo_status load(mo_context* c) { return zoo_register_operation(c, "Op", "org.example.zoo"); }

const mo_plugin* mo_plugin_entry(void) {
  static mo_plugin plugin = ZOO_DESCRIPTOR("older-candidate", load);
  plugin.abi_candidate = ZOO_FAULT(0, MO_ABI_CANDIDATE);
  return &plugin;
}
