/* Changes the graph each time it runs. */
#include "check_zoo.h"

static mo_status run(void* user, mo_context* c, mo_graph g) {
  mo_node copies[MOST_COPIES];
  uint64_t count = 0, i;
  mo_status status = find_copies(c, g, copies, &count);
  (void)user;
  for (i = 0; i < count && status == MO_OK; ++i) {
    mo_value runs;
    status = c->host->graph->node_attr(c, copies[i], zoo_text("runs"), &runs);
    if (status == MO_NOT_FOUND)
      runs.u.i = 0;
    else if (status != MO_OK)
      break;
    status = set_int(c, copies[i], "runs", runs.u.i + 1);
  }
  return status;
}

static mo_status load(mo_context* c) { return register_pass(c, run, "", ""); }

ZOO_PLUGIN("rule-250", load)
