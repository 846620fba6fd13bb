/* The right symbol, but nothing that can be called. */
#ifdef MO_ZOO_SOUND
#include "zoo.h"

static mo_status load(mo_context* c) { return zoo_register_operation(c, "Op", "org.example.zoo"); }

ZOO_PLUGIN("entry-is-data", load)
#else
__attribute__((visibility("default"))) int mo_plugin_entry = 1;
#endif
