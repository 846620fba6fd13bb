/* Takes every attribute for a text. */
#include "check_zoo.h"

static mo_status extract(void* user, mo_context* c, mo_node node) {
  mo_value axis;
  const mo_status status = c->host->graph->native_attr(c, node, zoo_text("axis"), &axis);
  if (status == MO_NOT_FOUND) return good_extract(user, c, node);
  if (status != MO_OK) return status;
  if (axis.kind == MO_VALUE_FLOAT) (void)*(const volatile char*)axis.u.s.data;
  return good_extract(user, c, node);
}

static mo_status load(mo_context* c) { return register_extractor(c, extract); }

ZOO_PLUGIN("rule-261", load)
