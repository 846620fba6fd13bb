/* Does not survive a list of types. */
#include "check_zoo.h"

#include <stdlib.h>

static mo_status extract(void* user, mo_context* c, mo_node node) {
  mo_value axis;
  const mo_status status = c->host->graph->native_attr(c, node, zoo_text("axis"), &axis);
  if (status == MO_NOT_FOUND) return good_extract(user, c, node);
  if (status != MO_OK) return status;
  if (axis.kind == MO_VALUE_TYPES) abort();
  return good_extract(user, c, node);
}

static mo_status load(mo_context* c) { return register_extractor(c, extract); }

ZOO_PLUGIN("rule-281", load)
