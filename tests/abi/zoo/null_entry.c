#include "zoo.h"

#ifdef MO_ZOO_SOUND
static mo_status load(mo_context* c) { return zoo_register_operation(c, "Op", "org.example.zoo"); }

ZOO_PLUGIN("null-entry", load)
#else
const mo_plugin* mo_plugin_entry(void) { return NULL; }
#endif
