/* Returns one descriptor and then another. */
#include "check_zoo.h"

static mo_status load(mo_context* c) {
  return register_good(c);
}

const mo_plugin* mo_plugin_entry(void) {
  static const mo_plugin plugins[2] = {ZOO_DESCRIPTOR("rule-200", load), ZOO_DESCRIPTOR("rule-200", load)};
  static int calls;
  return &plugins[calls++ % 2];
}
