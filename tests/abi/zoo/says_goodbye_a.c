#include "zoo.h"

static mo_status load(mo_context* c) { return zoo_register_operation(c, "GoodbyeA", "org.example.zoo"); }

static void shutdown(void) { fputs("goodbye from a\n", stderr); }

const mo_plugin* mo_plugin_entry(void) {
  static mo_plugin plugin = ZOO_DESCRIPTOR("says-goodbye-a", load);
  plugin.shutdown = shutdown;
  return &plugin;
}
