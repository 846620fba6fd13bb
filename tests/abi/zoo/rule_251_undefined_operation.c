/* Makes of each Copy an operation that nobody defines: a slip of one letter. */
#include "check_zoo.h"

static mo_status run(void* user, mo_context* c, mo_graph g) {
  mo_node copies[MOST_COPIES];
  uint64_t count = 0, i;
  mo_status status = find_copies(c, g, copies, &count);
  (void)user;
  for (i = 0; i < count && status == MO_OK; ++i)
    status = c->host->graph->set_op(c, copies[i], zoo_text("copy"), zoo_text("org.example.zoo"));
  return status;
}

static mo_status load(mo_context* c) { return register_pass(c, run, "", ""); }

ZOO_PLUGIN("rule-251-undefined", load)
