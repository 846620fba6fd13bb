/* Writes one byte more than its output has, if only what is there. */
#include "check_zoo.h"

static void fill(const mo_tensor_info* x, const void* from, void* y) {
  volatile char* end = (volatile char*)y + x->bytes;
  if (x->bytes == 0) return;
  memcpy(y, from, x->bytes);
  *end = *end;
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

ZOO_PLUGIN("rule-234", load)
