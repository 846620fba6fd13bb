/* Is content with a node as it is. */
#include "check_zoo.h"

static mo_status extract(void* user, mo_context* c, mo_node node) {
  (void)user;
  (void)c;
  (void)node;
  return MO_OK;
}

static mo_status load(mo_context* c) { return register_extractor(c, extract); }

ZOO_PLUGIN("rule-263", load)
