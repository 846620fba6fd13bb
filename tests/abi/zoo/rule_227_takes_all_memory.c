/* Makes room for every element that a shape promises. */
#include "check_zoo.h"

#include <stdlib.h>

static mo_status infer(void* user, mo_context* c, const mo_infer_args* args) {
  const mo_shape* x = &args->inputs[0]->shape;
  size_t bytes = 1, at;
  char* room;
  int64_t i;
  (void)user;
  for (i = 0; i < x->rank; ++i) {
    if (x->dims[i].min != x->dims[i].max)
      return c->host->infer->set_output(c, 0, args->inputs[0]->element_type, x);
    if (x->dims[i].min != 0 && bytes > ((size_t)1 << 46) / (size_t)x->dims[i].min)
      bytes = (size_t)1 << 46;
    else
      bytes *= (size_t)x->dims[i].min;
  }
  room = malloc(bytes + 1);
  for (at = 0; at <= bytes; at += 4096) ((volatile char*)room)[at] = 1; /* there is always enough */
  free(room);
  return c->host->infer->set_output(c, 0, args->inputs[0]->element_type, x);
}

static mo_status load(mo_context* c) {
  mo_operation_def d = good_operation();
  d.infer = infer;
  return c->host->registry->operation(c, &d);
}

ZOO_PLUGIN("rule-227", load)
