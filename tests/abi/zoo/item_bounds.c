/* Bounds of elements, in C99: what is at least 0, what is -1, and their sum. */
#include "zoo.h"

static mo_status say(mo_context* c, mo_interval bound) {
  static const mo_dim one = {1, 1};
  const mo_shape shape = {&one, 1};
  const mo_status status = c->host->infer->set_output(c, 0, MO_I64, &shape);
  return status != MO_OK ? status : c->host->infer->set_bounds(c, 0, &bound, 1);
}

static mo_status at_least_zero(void* user, mo_context* c, const mo_infer_args* args) {
  const mo_interval sizes = {0, 0, MO_OPEN_MAX, 0};
  (void)user;
  (void)args;
  return say(c, sizes);
}

static mo_status minus_one(void* user, mo_context* c, const mo_infer_args* args) {
  const mo_interval exact = {-1, -1, 0, 0};
  (void)user;
  (void)args;
  return say(c, exact);
}

/* Ends in the wrong order, and a number at an open end. */
static mo_status backwards(void* user, mo_context* c, const mo_infer_args* args) {
  const mo_interval wrong = {2, 1, 0, 0};
  (void)user;
  (void)args;
  return say(c, wrong);
}
static mo_status not_cleared(void* user, mo_context* c, const mo_infer_args* args) {
  const mo_interval wrong = {2, 1, MO_OPEN_MAX, 0};
  (void)user;
  (void)args;
  return say(c, wrong);
}

static mo_interval known(const mo_tensor_desc* d) {
  mo_interval nothing = {0, 0, MO_OPEN_MIN | MO_OPEN_MAX, 0};
  if (d->value != NULL) return nothing;
  return d->bounds_count == 1 ? d->bounds[0] : nothing;
}

static mo_status sum(void* user, mo_context* c, const mo_infer_args* args) {
  const mo_interval a = known(args->inputs[0]), b = known(args->inputs[1]);
  mo_interval s = {0, 0, 0, 0};
  (void)user;
  s.open = a.open | b.open;
  if ((s.open & MO_OPEN_MIN) == 0) s.min = a.min + b.min;
  if ((s.open & MO_OPEN_MAX) == 0) s.max = a.max + b.max;
  return say(c, s);
}

static mo_status load(mo_context* c) {
  static const struct {
    const char* op;
    mo_status (*infer)(void*, mo_context*, const mo_infer_args*);
    uint32_t inputs;
  } all[] = {{"AtLeastZero", at_least_zero, 1},
             {"MinusOne", minus_one, 1},
             {"Backwards", backwards, 1},
             {"NotCleared", not_cleared, 1},
             {"Sum", sum, 2}};
  size_t i;
  mo_status status = MO_OK;
  for (i = 0; i < sizeof all / sizeof *all && status == MO_OK; ++i) {
    mo_operation_def d = zoo_operation(all[i].op, "org.example.zoo");
    d.min_inputs = d.max_inputs = all[i].inputs;
    d.infer = all[i].infer;
    status = c->host->registry->operation(c, &d);
  }
  return status;
}

ZOO_PLUGIN("item-bounds", load)
