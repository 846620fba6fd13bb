/* Reads an optional input that is not there. */
#include "check_zoo.h"

static mo_status infer(void* user, mo_context* c, const mo_infer_args* args) {
  (void)user;
  if (args->n_inputs == 2) {
    const volatile mo_type* type = &args->inputs[1]->element_type;
    (void)*type;
  }
  return c->host->infer->set_output(c, 0, args->inputs[0]->element_type, &args->inputs[0]->shape);
}

static mo_status load(mo_context* c) {
  mo_operation_def d = good_operation();
  d.max_inputs = 2;
  d.infer = infer;
  d.evaluate = NULL;
  return c->host->registry->operation(c, &d);
}

ZOO_PLUGIN("rule-224", load)
