/* Works on the thread that loaded it only. */
#include "check_zoo.h"

static __thread int loaded_here;

static mo_status infer(void* user, mo_context* c, const mo_infer_args* args) {
  if (!loaded_here) return c->host->fail(c, MO_ERROR, 0, zoo_text("this is not my thread"));
  return zoo_infer(user, c, args);
}

static mo_status load(mo_context* c) {
  mo_operation_def d = good_operation();
  loaded_here = 1;
  d.infer = infer;
  return c->host->registry->operation(c, &d);
}

ZOO_PLUGIN("rule-239", load)
