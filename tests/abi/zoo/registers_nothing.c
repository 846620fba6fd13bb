#include "zoo.h"

static mo_status load(mo_context* c) {
  (void)c;
  return ZOO_FAULT(MO_OK, zoo_register_operation(c, "Op", "org.example.zoo"));
}

ZOO_PLUGIN("registers-nothing", load)
