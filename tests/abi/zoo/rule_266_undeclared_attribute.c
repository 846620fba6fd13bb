/* Sets an attribute that its operation does not declare. */
#include "check_zoo.h"

static mo_status extract(void* user, mo_context* c, mo_node node) {
  const mo_status status = good_extract(user, c, node);
  return status != MO_OK ? status : set_int(c, node, "undeclared", 1);
}

static mo_status load(mo_context* c) { return register_extractor(c, extract); }

ZOO_PLUGIN("rule-266", load)
