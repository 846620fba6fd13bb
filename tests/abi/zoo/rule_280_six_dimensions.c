/* Has room for five dimensions. */
#include "check_zoo.h"

#include <stdlib.h>

static mo_status infer(void* user, mo_context* c, const mo_infer_args* args) {
  if (args->inputs[0]->shape.rank > 5) abort();
  return zoo_infer(user, c, args);
}

static mo_status load(mo_context* c) {
  mo_operation_def d = good_operation();
  d.infer = infer;
  return c->host->registry->operation(c, &d);
}

ZOO_PLUGIN("rule-280", load)
