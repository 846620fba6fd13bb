/* Does not look whether its second edit was made. */
#include "check_zoo.h"

static mo_status run(void* user, mo_context* c, mo_graph g) {
  mo_node copies[MOST_COPIES];
  uint64_t count = 0, i;
  mo_status status = find_copies(c, g, copies, &count);
  (void)user;
  for (i = 0; i < count && status == MO_OK; ++i) {
    status = set_int(c, copies[i], "first", 1);
    if (status == MO_OK) (void)set_int(c, copies[i], "second", 2);
  }
  return status;
}

static mo_status load(mo_context* c) { return register_pass(c, run, "", ""); }

ZOO_PLUGIN("rule-243", load)
