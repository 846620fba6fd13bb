/* Registers something else in each process. */
#define _GNU_SOURCE
#include <unistd.h>

#include "check_zoo.h"

static mo_status load(mo_context* c) {
  char doc[64];
  mo_operation_def d = good_operation();
  snprintf(doc, sizeof doc, "of process %d", (int)getpid());
  d.doc = zoo_text(doc);
  return c->host->registry->operation(c, &d);
}

ZOO_PLUGIN("rule-207", load)
