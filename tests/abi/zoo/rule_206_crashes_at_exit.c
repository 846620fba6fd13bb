/* Does not survive its shutdown. */
#include "check_zoo.h"

#include <stdlib.h>


static void bye(void) { abort(); }

static mo_status load(mo_context* c) {
  return register_good(c);
}

const mo_plugin* mo_plugin_entry(void) {
  static mo_plugin plugin = ZOO_DESCRIPTOR("rule-206", load);
  plugin.shutdown = bye;
  return &plugin;
}
