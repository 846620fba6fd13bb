/* Runs after a transformation that nobody has. */
#include "check_zoo.h"

static mo_status run(void* user, mo_context* c, mo_graph g) {
  (void)user;
  (void)c;
  (void)g;
  return MO_OK;
}

static mo_status load(mo_context* c) {
  const mo_str after[] = {TEXT("zoo.no_such_pass")};
  mo_transformation_def d;
  memset(&d, 0, sizeof d);
  d.size = sizeof d;
  d.id = zoo_text("zoo.pass");
  d.phase = MO_PHASE_MIDDLE;
  d.kind = MO_TRANSFORM_GRAPH;
  d.on_graph = run;
  d.run_after = after;
  d.n_run_after = 1;
  return c->host->registry->transformation(c, &d);
}

ZOO_PLUGIN("rule-208", load)
