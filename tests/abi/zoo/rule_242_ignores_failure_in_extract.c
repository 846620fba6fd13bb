/* Does not look whether the attribute was taken. */
#include "check_zoo.h"

static mo_status extract(void* user, mo_context* c, mo_node node) {
  (void)set_int(c, node, "axis", 1);
  return good_extract(user, c, node);
}

static mo_status load(mo_context* c) {
  mo_attr_def axis;
  mo_operation_def copy = good_operation();
  mo_extractor_def d;
  mo_status status;
  memset(&axis, 0, sizeof axis);
  axis.size = sizeof axis;
  axis.name = zoo_text("axis");
  axis.kind = MO_VALUE_INT;
  copy.attrs = &axis;
  copy.n_attrs = 1;
  status = c->host->registry->operation(c, &copy);
  if (status != MO_OK) return status;
  memset(&d, 0, sizeof d);
  d.size = sizeof d;
  d.framework = zoo_text("zoo");
  d.op = zoo_text("Copy");
  d.extract = extract;
  return c->host->registry->extractor(c, &d);
}

ZOO_PLUGIN("rule-242", load)
