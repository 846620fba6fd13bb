/* Tells less when a node has attributes that it does not know. */
#include "check_zoo.h"

static mo_status infer(void* user, mo_context* c, const mo_infer_args* args) {
  mo_shape shape = args->inputs[0]->shape;
  uint64_t count = 0;
  const mo_status status = c->host->graph->node_attr_names(c, args->node, NULL, 0, &count);
  (void)user;
  if (status != MO_OK) return status;
  if (count != 0) {
    shape.dims = NULL;
    shape.rank = -1;
  }
  return c->host->infer->set_output(c, 0, args->inputs[0]->element_type, &shape);
}

static mo_status load(mo_context* c) {
  mo_operation_def d = good_operation();
  d.infer = infer;
  return c->host->registry->operation(c, &d);
}

ZOO_PLUGIN("rule-212", load)
