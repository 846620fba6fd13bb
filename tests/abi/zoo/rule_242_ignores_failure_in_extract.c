/* Does not look whether the attribute was taken. */
#include "check_zoo.h"

static mo_status extract(void* user, mo_context* c, mo_node node) {
  (void)set_int(c, node, "axis", 1);
  return good_extract(user, c, node);
}

static mo_status load(mo_context* c) { return register_extractor(c, extract); }

ZOO_PLUGIN("rule-242", load)
