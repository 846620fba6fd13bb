#include "zoo.h"

const mo_plugin* mo_plugin_entry(void) { return NULL; }
