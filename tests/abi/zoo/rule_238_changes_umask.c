/* Files that are made after a shape was inferred can be read by nobody. */
#define _GNU_SOURCE
#include <sys/stat.h>

#include "check_zoo.h"

static mo_status infer(void* user, mo_context* c, const mo_infer_args* args) {
  (void)user;
  (void)umask(0777);
  return c->host->infer->set_output(c, 0, args->inputs[0]->element_type, &args->inputs[0]->shape);
}

static mo_status load(mo_context* c) {
  mo_operation_def d = good_operation();
  d.infer = infer;
  return c->host->registry->operation(c, &d);
}

ZOO_PLUGIN("rule-238", load)
