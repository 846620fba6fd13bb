/* Is for models of a framework that nobody has heard of. */
#include "check_zoo.h"

static mo_status run(void* user, mo_context* c, mo_graph g) {
  (void)user;
  (void)c;
  (void)g;
  return MO_OK;
}

static mo_status load(mo_context* c) {
  const mo_str frameworks[] = {zoo_text("irr")};
  mo_transformation_def d;
  memset(&d, 0, sizeof d);
  d.size = sizeof d;
  d.id = zoo_text("zoo.pass");
  d.frameworks = frameworks;
  d.n_frameworks = 1;
  d.phase = MO_PHASE_MIDDLE;
  d.kind = MO_TRANSFORM_GRAPH;
  d.on_graph = run;
  return c->host->registry->transformation(c, &d);
}

ZOO_PLUGIN("rule-209", load)
