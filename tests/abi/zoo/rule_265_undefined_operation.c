/* Makes an operation that nobody defines. */
#include "check_zoo.h"

static mo_status extract(void* user, mo_context* c, mo_node node) {
  (void)user;
  return c->host->graph->set_op(c, node, zoo_text("Zapp"), zoo_text("org.example.zoo"));
}

static mo_status load(mo_context* c) { return register_extractor(c, extract); }

ZOO_PLUGIN("rule-265", load)
