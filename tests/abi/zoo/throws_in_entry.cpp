#include <stdexcept>

#include "zoo.h"

#ifdef MO_ZOO_SOUND
static mo_status load(mo_context* c) { return zoo_register_operation(c, "Op", "org.example.zoo"); }

ZOO_PLUGIN("throws-in-entry", load)
#else
const mo_plugin* mo_plugin_entry(void) { throw std::runtime_error("no descriptor today"); }
#endif
