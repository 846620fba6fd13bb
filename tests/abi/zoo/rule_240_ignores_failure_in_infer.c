/* Takes an attribute that cannot be read for one that is absent. */
#include "check_zoo.h"

static mo_status infer(void* user, mo_context* c, const mo_infer_args* args) {
  mo_shape shape = args->inputs[0]->shape;
  mo_value keep;
  (void)user;
  if (c->host->graph->node_attr(c, args->node, zoo_text("keep"), &keep) != MO_OK || keep.u.i == 0) {
    shape.dims = NULL;
    shape.rank = -1;
  }
  return c->host->infer->set_output(c, 0, args->inputs[0]->element_type, &shape);
}

static mo_status load(mo_context* c) {
  mo_operation_def d = good_operation();
  static const mo_value one = {MO_VALUE_INT, 0, 0, {1}};
  mo_attr_def keep;
  memset(&keep, 0, sizeof keep);
  keep.size = sizeof keep;
  keep.name = zoo_text("keep");
  keep.kind = MO_VALUE_INT;
  keep.fallback = &one;
  d.attrs = &keep;
  d.n_attrs = 1;
  d.infer = infer;
  return c->host->registry->operation(c, &d);
}

ZOO_PLUGIN("rule-240", load)
