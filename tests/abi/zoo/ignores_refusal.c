/* One registration is refused; the plugin does not care. */
#include "zoo.h"

static mo_status load(mo_context* c) {
  mo_operation_def d = zoo_operation("Ignored", "org.example.zoo");
  d.flags = ZOO_FAULT(1U << 20, 0);
  c->host->registry->operation(c, &d);
  return zoo_register_operation(c, "Fine", "org.example.zoo");
}

ZOO_PLUGIN("ignores-refusal", load)
