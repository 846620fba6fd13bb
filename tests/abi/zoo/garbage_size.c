/* A size that no struct of ABI 1.0 has. */
#include "zoo.h"

static mo_status load(mo_context* c) { return zoo_register_operation(c, "Op", "org.example.zoo"); }

const mo_plugin* mo_plugin_entry(void) {
  static mo_plugin plugin = ZOO_DESCRIPTOR("garbage-size", load);
  plugin.size = ZOO_FAULT((size_t)0xdeadbeefdeadbeef, sizeof plugin);
  return &plugin;
}
