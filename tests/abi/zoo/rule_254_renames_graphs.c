/* Changes every graph. */
#include "check_zoo.h"

static mo_status run(void* user, mo_context* c, mo_graph g) {
  (void)user;
  return c->host->graph->set_graph_name(c, g, zoo_text("renamed"));
}

static mo_status load(mo_context* c) { return register_pass(c, run, "", ""); }

ZOO_PLUGIN("rule-254", load)
