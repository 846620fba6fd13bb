/* Believes an axis that is far away. */
#include "check_zoo.h"

static mo_status infer(void* user, mo_context* c, const mo_infer_args* args) {
  const mo_shape* x = &args->inputs[0]->shape;
  mo_value axis;
  const mo_status status = c->host->graph->node_attr(c, args->node, zoo_text("axis"), &axis);
  (void)user;
  if (status != MO_OK) return status;
  if (x->rank >= 0 && axis.u.i > 1000) {
    const volatile mo_dim* far_away = x->dims + axis.u.i;
    (void)far_away->min;
  }
  return c->host->infer->set_output(c, 0, args->inputs[0]->element_type, x);
}

static mo_status load(mo_context* c) {
  mo_operation_def d = good_operation();
  static const mo_value zero = {MO_VALUE_INT, 0, 0, {0}};
  mo_attr_def axis;
  memset(&axis, 0, sizeof axis);
  axis.size = sizeof axis;
  axis.name = zoo_text("axis");
  axis.kind = MO_VALUE_INT;
  axis.fallback = &zero;
  d.attrs = &axis;
  d.n_attrs = 1;
  d.infer = infer;
  return c->host->registry->operation(c, &d);
}

ZOO_PLUGIN("rule-225", load)
