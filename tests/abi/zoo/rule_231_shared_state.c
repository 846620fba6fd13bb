/* Says that it works on several threads at once, and does not. */
#define _GNU_SOURCE
#include <unistd.h>

#include "check_zoo.h"

static volatile int busy;

static mo_status infer(void* user, mo_context* c, const mo_infer_args* args) {
  mo_shape shape = args->inputs[0]->shape;
  const int others = __atomic_fetch_add(&busy, 1, __ATOMIC_SEQ_CST);
  mo_status status;
  (void)user;
  usleep(200);
  if (others != 0) {
    shape.dims = NULL;
    shape.rank = -1;
  }
  status = c->host->infer->set_output(c, 0, args->inputs[0]->element_type, &shape);
  __atomic_fetch_sub(&busy, 1, __ATOMIC_SEQ_CST);
  return status;
}

static mo_status load(mo_context* c) {
  mo_operation_def d = good_operation();
  d.infer = infer;
  return c->host->registry->operation(c, &d);
}

ZOO_PLUGIN("rule-231", load)
