#include "zoo.h"

static mo_status load(mo_context* c) {
  const mo_status status = zoo_register_operation(c, "Thrown", "org.example.zoo");
  if (status != MO_OK) return status;
  throw 42;
}

ZOO_PLUGIN("throws-in-load", load)
