/* Waits for an input that never comes. */
#include "check_zoo.h"

static mo_status infer(void* user, mo_context* c, const mo_infer_args* args) {
  volatile int waiting = args->n_inputs > 1 && args->inputs[1] == NULL;
  while (waiting) {
  }
  return zoo_infer(user, c, args);
}

static mo_status load(mo_context* c) {
  mo_operation_def d = good_operation();
  d.max_inputs = 2;
  d.infer = infer;
  d.evaluate = NULL;
  return c->host->registry->operation(c, &d);
}

ZOO_PLUGIN("check-hangs", load)
