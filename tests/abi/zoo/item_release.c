/* Counts how often what it registered is released: once for each session. */
#include "zoo.h"

/* What other plugins find by the name "org.example.zoo.counts": releases, and loads. */
static int counts[2];

static void release(void* user) { ++*(int*)user; }

static mo_status load(mo_context* c) {
  mo_operation_def d = zoo_operation("Released", "org.example.zoo");
  mo_status status;
  d.user = &counts[0];
  d.release = release;
  ++counts[1];
  status = c->host->registry->operation(c, &d);
  if (status != MO_OK) return status;
  return c->host->registry->add_interface(c, zoo_text("org.example.zoo.counts"), 1, counts);
}

ZOO_PLUGIN("item-release", load)
