/* Somebody has cut off the last members. */
#include "zoo.h"

static mo_status load(mo_context* c) { return zoo_register_operation(c, "Op", "org.example.zoo"); }

const mo_plugin* mo_plugin_entry(void) {
  static mo_plugin plugin = ZOO_DESCRIPTOR("short", load);
  plugin.size = ZOO_FAULT(offsetof(mo_plugin, load), sizeof plugin);
  return &plugin;
}
