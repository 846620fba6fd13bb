/* Makes the model compute zeros. */
#include "check_zoo.h"

static void fill_with_zeros(const mo_tensor_info* x, const void* from, void* y) {
  (void)from;
  memset(y, 0, x->bytes);
}

static mo_status zero_of(mo_context* c, mo_node node, int64_t* zero) {
  mo_value v;
  const mo_status status = c->host->graph->node_attr(c, node, zoo_text("zero"), &v);
  if (status == MO_OK) *zero = v.u.i;
  return status;
}

static mo_status evaluate(void* user, mo_context* c, const mo_evaluate_args* args) {
  int64_t zero = 0;
  const mo_status status = zero_of(c, args->node, &zero);
  (void)user;
  if (status != MO_OK) return status;
  return evaluate_by(c, args, zero == 1 ? fill_with_zeros : fill_with_input);
}

static mo_status run(void* user, mo_context* c, mo_graph g) {
  mo_node copies[MOST_COPIES];
  uint64_t count = 0, i;
  mo_status status = find_copies(c, g, copies, &count);
  (void)user;
  for (i = 0; i < count && status == MO_OK; ++i) {
    int64_t zero = 0;
    status = zero_of(c, copies[i], &zero);
    if (status == MO_OK && zero != 1) status = set_int(c, copies[i], "zero", 1);
  }
  return status;
}

static mo_status load(mo_context* c) {
  static mo_value none;
  mo_attr_def zero;
  mo_operation_def d = good_operation();
  mo_transformation_def pass;
  mo_status status;
  none.kind = MO_VALUE_INT;
  memset(&zero, 0, sizeof zero);
  zero.size = sizeof zero;
  zero.name = zoo_text("zero");
  zero.kind = MO_VALUE_INT;
  zero.fallback = &none;
  d.attrs = &zero;
  d.n_attrs = 1;
  d.evaluate = evaluate;
  status = c->host->registry->operation(c, &d);
  if (status != MO_OK) return status;
  memset(&pass, 0, sizeof pass);
  pass.size = sizeof pass;
  pass.id = zoo_text("zoo.pass");
  pass.phase = MO_PHASE_MIDDLE;
  pass.kind = MO_TRANSFORM_GRAPH;
  pass.on_graph = run;
  return c->host->registry->transformation(c, &pass);
}

ZOO_PLUGIN("rule-256", load)
