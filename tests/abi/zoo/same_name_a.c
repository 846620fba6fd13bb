/* Exports a function that same_name_b exports, too. Local scope keeps them apart. */
#include "zoo.h"

__attribute__((visibility("default"))) const char* zoo_shared_name(void) { return "SameNameA"; }

static mo_status load(mo_context* c) {
  return zoo_register_operation(c, zoo_shared_name(), "org.example.zoo");
}

ZOO_PLUGIN("same-name-a", load)
