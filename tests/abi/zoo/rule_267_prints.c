/* Says on standard output what it extracts. */
#include "check_zoo.h"

static mo_status extract(void* user, mo_context* c, mo_node node) {
  puts("Copy is extracted");
  return good_extract(user, c, node);
}

static mo_status load(mo_context* c) { return register_extractor(c, extract); }

ZOO_PLUGIN("rule-267", load)
