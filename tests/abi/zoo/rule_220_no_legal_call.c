/* No call is good enough. */
#include "check_zoo.h"

static mo_status infer(void* user, mo_context* c, const mo_infer_args* args) {
  (void)user;
  (void)args;
  return c->host->fail(c, MO_ERROR, 0, zoo_text("nothing is good enough"));
}

static mo_status load(mo_context* c) {
  mo_operation_def d = good_operation();
  d.infer = infer;
  return c->host->registry->operation(c, &d);
}

ZOO_PLUGIN("rule-220", load)
