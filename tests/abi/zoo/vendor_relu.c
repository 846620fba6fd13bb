/* A vendor's extractor for what a plugin of the host may extract, too, limited to some versions of it. Not
 * broken. */
#include "zoo.h"

static mo_status extract(void* user, mo_context* c, mo_node node) {
  (void)user;
  return c->host->graph->set_op(c, node, zoo_text("Better"), zoo_text("org.example.zoo"));
}

static mo_status load(mo_context* c) {
  mo_extractor_def d;
  mo_status status = zoo_register_operation(c, "Better", "org.example.zoo");
  if (status != MO_OK) return status;
  memset(&d, 0, sizeof d);
  d.size = sizeof d;
  d.framework = zoo_text("zoo");
  d.op = zoo_text("Relu");
  d.extract = extract;
  return c->host->registry->extractor(c, &d);
}

ZOO_PLUGIN("vendor-relu", load)
