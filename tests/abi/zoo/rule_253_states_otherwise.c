/* Does something else than it states. */
#include "check_zoo.h"

static mo_status run(void* user, mo_context* c, mo_graph g) {
  mo_node copies[MOST_COPIES];
  uint64_t count = 0, i;
  mo_status status = find_copies(c, g, copies, &count);
  (void)user;
  for (i = 0; i < count && status == MO_OK; ++i) status = set_int(c, copies[i], "done", 1);
  return status;
}

static mo_status load(mo_context* c) {
  return register_pass(
      c, run, "%x = Parameter -> f32[2,3]\n%y = Copy@\"org.example.zoo\" (%x)\nResult (%y)",
      "%x = Parameter -> f32[2,3]\n%y = Copy@\"org.example.zoo\" (%x) {told=1}\nResult (%y)");
}

ZOO_PLUGIN("rule-253", load)
