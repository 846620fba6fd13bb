/* Believes whatever size is asked for. */
#include "check_zoo.h"

#include <stdlib.h>

static volatile char room[8];

static mo_status run(void* user, mo_context* c, mo_graph g) {
  mo_value size;
  const mo_status status = c->host->option(c, zoo_text("zoo_size"), &size);
  (void)user;
  (void)g;
  if (status == MO_NOT_FOUND) return MO_OK;
  if (status != MO_OK) return status;
  if (size.u.i > 1 << 30) abort();
  (void)room[size.u.i > 0 && size.u.i < 8 ? size.u.i : 0];
  return MO_OK;
}

static mo_status load(mo_context* c) {
  mo_option_def d;
  const mo_status status = register_pass(c, run, "", "");
  if (status != MO_OK) return status;
  memset(&d, 0, sizeof d);
  d.size = sizeof d;
  d.name = zoo_text("zoo_size");
  d.help = zoo_text("how much room there is");
  d.kind = MO_OPTION_INT;
  return c->host->registry->option(c, &d);
}

ZOO_PLUGIN("rule-273", load)
