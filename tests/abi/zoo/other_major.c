#include "zoo.h"

static mo_status load(mo_context* c) { return zoo_register_operation(c, "Op", "org.example.zoo"); }

const mo_plugin* mo_plugin_entry(void) {
  static mo_plugin plugin = ZOO_DESCRIPTOR("other-major", load);
  plugin.abi_major = ZOO_FAULT(7, MO_ABI_MAJOR);
  return &plugin;
}
