/* Divides by the size of a dimension. */
#include "check_zoo.h"

static mo_status infer(void* user, mo_context* c, const mo_infer_args* args) {
  const mo_shape* x = &args->inputs[0]->shape;
  (void)user;
  if (x->rank > 0 && x->dims[0].min == x->dims[0].max) {
    const volatile int64_t quotient = 24 / *(const volatile int64_t*)&x->dims[0].min;
    (void)quotient;
  }
  return c->host->infer->set_output(c, 0, args->inputs[0]->element_type, x);
}

static mo_status load(mo_context* c) {
  mo_operation_def d = good_operation();
  d.infer = infer;
  return c->host->registry->operation(c, &d);
}

ZOO_PLUGIN("rule-226", load)
