/* Has two outputs and tells of one. */
#include "check_zoo.h"

static mo_status load(mo_context* c) {
  mo_operation_def d = good_operation();
  d.min_outputs = d.max_outputs = 2;
  d.evaluate = NULL;
  return c->host->registry->operation(c, &d);
}

ZOO_PLUGIN("rule-221", load)
