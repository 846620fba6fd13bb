/* Registers what twin_a registers. */
#include "zoo.h"

static mo_status load(mo_context* c) {
  return zoo_register_operation(c, ZOO_FAULT("Twin", "Other"), "org.example.twins");
}

ZOO_PLUGIN("twin-b", load)
