/* Has two outputs and computes one. */
#include "check_zoo.h"

static mo_status infer(void* user, mo_context* c, const mo_infer_args* args) {
  const mo_status status = zoo_infer(user, c, args);
  if (status != MO_OK) return status;
  return c->host->infer->set_output(c, 1, args->inputs[0]->element_type, &args->inputs[0]->shape);
}

static mo_status load(mo_context* c) {
  mo_operation_def d = good_operation();
  d.min_outputs = d.max_outputs = 2;
  d.infer = infer;
  return c->host->registry->operation(c, &d);
}

ZOO_PLUGIN("rule-229", load)
