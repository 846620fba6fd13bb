/* The edits of mo/edits.h, on a graph with a node "model/add" of two constants. */
#include <mo/edits.h>

#include "zoo.h"

#define TRY(call)                       \
  do {                                  \
    const mo_status status = (call);    \
    if (status != MO_OK) return status; \
  } while (0)

static mo_status edit(void* user, mo_context* c, mo_graph g) {
  const mo_graph_api* api = c->host->graph;
  mo_node add = 0, copy = 0, folded = 0;
  mo_port inputs[2];
  mo_value v;
  (void)user;
  TRY(api->find(c, g, zoo_text("model/add"), &add));
  inputs[0].node = inputs[1].node = add;
  inputs[0].index = 0;
  inputs[1].index = 1;
  inputs[0].direction = inputs[1].direction = MO_PORT_IN;
  TRY(api->source(c, inputs[0], &inputs[0]));
  TRY(api->source(c, inputs[1], &inputs[1]));
  TRY(mo_clone_node(c, add, inputs, 2, zoo_text("copy"), &copy));
  TRY(mo_take_name(c, add, copy, zoo_text("model/add/was")));
  TRY(mo_fold_constant(c, inputs[0].node, zoo_text("folded"), &folded));
  memset(&v, 0, sizeof v);
  v.kind = MO_VALUE_INT;
  v.u.i = mo_dim_product(mo_dim_sum((mo_dim){1, 4}, (mo_dim){2, -1}), (mo_dim){5, 5}).min;
  return api->set_node_attr(c, folded, zoo_text("least"), &v);
}

static mo_status load(mo_context* c) {
  mo_transformation_def t;
  memset(&t, 0, sizeof t);
  t.size = sizeof t;
  t.id = zoo_text("zoo.edit");
  t.phase = MO_PHASE_MIDDLE;
  t.kind = MO_TRANSFORM_GRAPH;
  t.on_graph = edit;
  return c->host->registry->transformation(c, &t);
}

ZOO_PLUGIN("item-edits", load)
