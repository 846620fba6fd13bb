/* Reads one byte more than its input has. */
#include "check_zoo.h"

static mo_status evaluate(void* user, mo_context* c, const mo_evaluate_args* args) {
  mo_tensor_info x;
  mo_status status;
  x.size = sizeof x;
  status = c->host->tensor->info(args->inputs[0], &x);
  if (status != MO_OK) return status;
  if (x.bytes != 0) (void)((const volatile char*)x.data)[x.bytes];
  return good_evaluate(user, c, args);
}

static mo_status load(mo_context* c) {
  mo_operation_def d = good_operation();
  d.evaluate = evaluate;
  return c->host->registry->operation(c, &d);
}

ZOO_PLUGIN("rule-233", load)
