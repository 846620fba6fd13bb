#include "zoo.h"

static mo_status load(mo_context* c) {
  const mo_status status = zoo_register_operation(c, "Thrown", "org.example.zoo");
  if (ZOO_FAULT(status != MO_OK, true)) return status;
  throw 42;
}

ZOO_PLUGIN("throws-in-load", load)
