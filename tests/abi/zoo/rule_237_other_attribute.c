/* Writes another axis to the IR than it has. */
#include "check_zoo.h"

static mo_status ir_attrs(void* user, mo_context* c, mo_node node) {
  char shown[32];
  mo_value axis;
  const mo_status status = c->host->graph->node_attr(c, node, zoo_text("axis"), &axis);
  (void)user;
  if (status != MO_OK) return status;
  snprintf(shown, sizeof shown, "%lld", (long long)axis.u.i + 1);
  return c->host->infer->add_ir_attr(c, zoo_text("axis"), zoo_text(shown));
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
  d.ir_attrs = ir_attrs;
  return c->host->registry->operation(c, &d);
}

ZOO_PLUGIN("rule-237", load)
