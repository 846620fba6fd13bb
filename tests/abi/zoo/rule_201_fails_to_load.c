/* Does not want to be loaded. */
#include "check_zoo.h"

static mo_status load(mo_context* c) {
  return c->host->fail(c, MO_ERROR, 0, zoo_text("not today"));
}

ZOO_PLUGIN("rule-201", load)
