/* Computes something else from floats that are not aligned. */
#include "check_zoo.h"

static void fill(const mo_tensor_info* x, const void* from, void* y) {
  if (x->element_type != MO_F32 || (uintptr_t)from % 4 == 0) fill_with_input(x, from, y);
}

static mo_status evaluate(void* user, mo_context* c, const mo_evaluate_args* args) {
  (void)user;
  return evaluate_by(c, args, fill);
}

static mo_status load(mo_context* c) {
  mo_operation_def d = good_operation();
  d.evaluate = evaluate;
  return c->host->registry->operation(c, &d);
}

ZOO_PLUGIN("rule-235", load)
