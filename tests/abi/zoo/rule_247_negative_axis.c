/* A negative axis is something else than the same dimension. */
#include "check_zoo.h"

static void fill_with_zeros(const mo_tensor_info* x, const void* from, void* y) {
  (void)from;
  memset(y, 0, x->bytes);
}

static mo_status evaluate(void* user, mo_context* c, const mo_evaluate_args* args) {
  mo_value axis;
  const mo_status status = c->host->graph->node_attr(c, args->node, zoo_text("axis"), &axis);
  (void)user;
  if (status != MO_OK) return status;
  return evaluate_by(c, args, axis.u.i < 0 ? fill_with_zeros : fill_with_input);
}

static mo_status load(mo_context* c) {
  static mo_value zero;
  mo_attr_def axis;
  mo_operation_def d = good_operation();
  zero.kind = MO_VALUE_INT;
  memset(&axis, 0, sizeof axis);
  axis.size = sizeof axis;
  axis.name = zoo_text("axis");
  axis.kind = MO_VALUE_INT;
  axis.fallback = &zero;
  d.attrs = &axis;
  d.n_attrs = 1;
  d.evaluate = evaluate;
  return c->host->registry->operation(c, &d);
}

ZOO_PLUGIN("rule-247", load)
