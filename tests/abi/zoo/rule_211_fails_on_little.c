/* Fails on a model that has nothing for it. */
#include "check_zoo.h"

static mo_status run(void* user, mo_context* c, mo_graph g) {
  mo_node node;
  uint64_t all = 0, parameters = 0, results = 0;
  mo_status status = c->host->graph->nodes(c, g, zoo_text(""), &node, 1, &all);
  if (status == MO_OK) status = c->host->graph->parameters(c, g, &node, 1, &parameters);
  if (status == MO_OK) status = c->host->graph->results(c, g, &node, 1, &results);
  (void)user;
  if (status != MO_OK || all > parameters + results) return status;
  return c->host->fail(c, MO_ERROR, 0, zoo_text("there is nothing to do"));
}

static mo_status load(mo_context* c) { return register_pass(c, run, "", ""); }

ZOO_PLUGIN("rule-211", load)
