/* Wants the host it was built with and no other. */
#include "check_zoo.h"

static mo_status load(mo_context* c) {
  if (c->host->size != sizeof *c->host)
    return c->host->fail(c, MO_ERROR, 0, zoo_text("this is not the host I know"));
  return register_good(c);
}

ZOO_PLUGIN("rule-210", load)
