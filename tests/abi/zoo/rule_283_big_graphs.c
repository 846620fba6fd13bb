/* Has room for five copies. */
#include "check_zoo.h"

#include <stdlib.h>

static mo_status run(void* user, mo_context* c, mo_graph g) {
  mo_node copies[MOST_COPIES];
  uint64_t count = 0, i;
  mo_status status = find_copies(c, g, copies, &count);
  (void)user;
  i = count;
  if (i > 5) abort();
  return status;
}

static mo_status load(mo_context* c) { return register_pass(c, run, "", ""); }

ZOO_PLUGIN("rule-283", load)
