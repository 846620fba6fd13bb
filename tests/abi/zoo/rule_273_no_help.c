/* Has an option and does not say what for. */
#include "check_zoo.h"

static mo_status load(mo_context* c) {
  mo_option_def d;
  memset(&d, 0, sizeof d);
  d.size = sizeof d;
  d.name = zoo_text("zoo_option");
  d.kind = MO_OPTION_STRING;
  return c->host->registry->option(c, &d);
}

ZOO_PLUGIN("rule-273", load)
