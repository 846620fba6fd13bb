/* Does not like copies. */
#include "check_zoo.h"

static mo_status run(void* user, mo_context* c, mo_graph g) {
  mo_node copies[MOST_COPIES];
  uint64_t count = 0, i;
  mo_status status = find_copies(c, g, copies, &count);
  (void)user;
  i = count;
  if (status == MO_OK && i != 0)
    status = c->host->fail(c, MO_ERROR, copies[0], zoo_text("no copies, please"));
  return status;
}

static mo_status load(mo_context* c) { return register_pass(c, run, "", ""); }

ZOO_PLUGIN("rule-255", load)
