/* Cannot say which attributes the IR gets. */
#include "check_zoo.h"

static mo_status ir_attrs(void* user, mo_context* c, mo_node node) {
  (void)user;
  return c->host->fail(c, MO_ERROR, node, zoo_text("not today"));
}

static mo_status load(mo_context* c) {
  mo_operation_def d = good_operation();
  d.ir_attrs = ir_attrs;
  return c->host->registry->operation(c, &d);
}

ZOO_PLUGIN("rule-249", load)
