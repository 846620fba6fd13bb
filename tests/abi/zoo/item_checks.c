/* What is reserved, counted, forgotten or unknown is refused when it is handed over, not only when it is
 * registered. The transformation fails with the first that is not. */
#include "zoo.h"

#define REFUSED(call)                                                             \
  do {                                                                            \
    const mo_status refused = (call);                                             \
    if (refused != MO_INVALID_ARGUMENT)                                           \
      return c->host->fail(c, MO_ERROR, 0, zoo_text("not refused: " #call));      \
    if (c->host->last_error(c).size == 0)                                         \
      return c->host->fail(c, MO_ERROR, 0, zoo_text("refused silently: " #call)); \
  } while (0)

static mo_value value_of(int32_t kind, int64_t i) {
  mo_value v;
  memset(&v, 0, sizeof v);
  v.kind = kind;
  v.u.i = i;
  return v;
}

static mo_status hand_over(void* user, mo_context* c, mo_graph g) {
  const mo_graph_api* api = c->host->graph;
  const mo_str name = zoo_text("x");
  const mo_dim four = {4, 4};
  const mo_shape whole = {&four, 1};
  const mo_port forgotten = {0, 0, 0};
  mo_value v;
  mo_node_init init;
  mo_node node = 0;
  mo_port out;
  mo_tensor *t = NULL, *view = NULL;
  const int64_t dims[] = {4};
  mo_status status;
  (void)user;
  memset(&init, 0, sizeof init);
  init.size = sizeof init;
  init.op = zoo_text("Checked");
  init.n_outputs = 1;
  status = api->create_node(c, g, &init, &node);
  if (status != MO_OK) return status;
  init.size = 8;
  REFUSED(api->create_node(c, g, &init, &node));

  v = value_of(MO_VALUE_INT, 1);
  v.reserved = 1;
  REFUSED(api->set_node_attr(c, node, name, &v));
  v = value_of(MO_VALUE_INT, 1);
  v.count = 1;
  REFUSED(api->set_node_attr(c, node, name, &v));
  v = value_of(MO_VALUE_BOOL, 2);
  REFUSED(api->set_node_attr(c, node, name, &v));
  v = value_of(MO_VALUE_TYPE, 777);
  REFUSED(api->set_node_attr(c, node, name, &v));
  v = value_of(4711, 0);
  REFUSED(api->set_node_attr(c, node, name, &v));
  v = value_of(MO_VALUE_GRAPH, 0);
  v.u.graph = g;
  REFUSED(api->set_rt_info(c, node, name, &v));
  REFUSED(api->set_graph_attr(c, g, name, &v));

  out = forgotten;
  out.node = node;
  REFUSED(api->disconnect(c, out)); /* no direction */
  REFUSED(api->add_port(c, node, 0, &out));
  out.node = node;
  out.index = 0;
  out.direction = MO_PORT_OUT;
  REFUSED(api->set_shape(c, out, 777, &whole));

  status = c->host->tensor->create(c, MO_F32, dims, 1, &t, NULL);
  if (status != MO_OK) return status;
  REFUSED(c->host->tensor->view(c, t, 0, 777, dims, 1, &view));
  REFUSED(c->host->tensor->view(c, t, 0, -1, dims, 1, &view));
  REFUSED(c->host->tensor->create(c, 777, dims, 1, &view, NULL));
  c->host->tensor->release(t);
  return api->remove_node(c, node);
}

static mo_status load(mo_context* c) {
  mo_transformation_def t;
  memset(&t, 0, sizeof t);
  t.size = sizeof t;
  t.id = zoo_text("zoo.hand_over");
  t.phase = MO_PHASE_MIDDLE;
  t.kind = MO_TRANSFORM_GRAPH;
  t.recursive = MO_OFF;
  t.on_graph = hand_over;
  return c->host->registry->transformation(c, &t);
}

ZOO_PLUGIN("item-checks", load)
