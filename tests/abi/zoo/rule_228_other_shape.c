/* Computes another shape than it tells. */
#include "check_zoo.h"

static mo_status evaluate(void* user, mo_context* c, const mo_evaluate_args* args) {
  const int64_t dims[] = {17};
  mo_tensor_info x;
  mo_tensor* y = NULL;
  const void* from = NULL;
  mo_status status = look_at_input(c, args, &x, &from);
  if (status != MO_OK) return status;
  if (x.bytes == 0) return good_evaluate(user, c, args);
  status = c->host->tensor->create(c, MO_F32, dims, 1, &y, NULL);
  return status != MO_OK ? status : give_output(c, y);
}

static mo_status load(mo_context* c) {
  mo_operation_def d = good_operation();
  d.evaluate = evaluate;
  return c->host->registry->operation(c, &d);
}

ZOO_PLUGIN("rule-228", load)
