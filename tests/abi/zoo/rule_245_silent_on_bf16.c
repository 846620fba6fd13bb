/* Refuses an element type without a word. */
#include "check_zoo.h"

static mo_status infer(void* user, mo_context* c, const mo_infer_args* args) {
  return args->inputs[0]->element_type == MO_BF16 ? MO_ERROR : zoo_infer(user, c, args);
}

static mo_status load(mo_context* c) {
  mo_operation_def d = good_operation();
  d.infer = infer;
  return c->host->registry->operation(c, &d);
}

ZOO_PLUGIN("rule-245", load)
