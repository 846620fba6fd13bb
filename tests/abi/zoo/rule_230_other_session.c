/* Computes something else once it was loaded twice. */
#include "check_zoo.h"

static int loads;

static void fill(const mo_tensor_info* x, const void* from, void* y) {
  (void)from;
  if (x->bytes != 0) memset(y, loads - 1, x->bytes);
}

static mo_status evaluate(void* user, mo_context* c, const mo_evaluate_args* args) {
  (void)user;
  return evaluate_by(c, args, fill);
}

static mo_status load(mo_context* c) {
  mo_operation_def d = good_operation();
  ++loads;
  d.evaluate = evaluate;
  return c->host->registry->operation(c, &d);
}

ZOO_PLUGIN("rule-230", load)
