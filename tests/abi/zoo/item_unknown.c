/* An element type, a kind of value and a status that this plugin's header does not have: what it may know of
 * them, and that it leaves them as they are. Whether the host has them is up to the host. */
#include "zoo.h"

#define TRY(call)                         \
  do {                                    \
    const mo_status status_ = (call);     \
    if (status_ != MO_OK) return status_; \
  } while (0)

static mo_status remember(mo_context* c, mo_node node, const char* name, int64_t i) {
  mo_value v;
  memset(&v, 0, sizeof v);
  v.kind = MO_VALUE_INT;
  v.u.i = i;
  return c->host->graph->set_node_attr(c, node, zoo_text(name), &v);
}

static mo_status look(void* user, mo_context* c, mo_graph g) {
  const mo_graph_api* api = c->host->graph;
  const mo_tensor_desc* desc = NULL;
  mo_tensor_info info;
  mo_value value;
  mo_node node = 0;
  mo_port out;
  uint64_t count = 0;
  (void)user;
  TRY(api->nodes(c, g, zoo_text("*::Newest"), &node, 1, &count));
  if (count != 1) return c->host->fail(c, MO_ERROR, 0, zoo_text("there is no node Newest"));
  out.node = node;
  out.index = 0;
  out.direction = MO_PORT_OUT;
  TRY(api->desc(c, out, &desc));
  memset(&info, 0, sizeof info);
  info.size = sizeof info;
  TRY(c->host->tensor->info(desc->value, &info));
  if (desc->element_type > MO_STRING && info.element_type == desc->element_type)
    TRY(remember(c, node, "bytes", (int64_t)info.bytes));
  TRY(api->node_attr(c, node, zoo_text("newest"), &value));
  if (value.kind > MO_VALUE_GRAPHS) TRY(remember(c, node, "asked_for", 0));
  return MO_OK;
}

/* A status it does not know is a failure, and is passed on. */
static mo_status fail_as_host(void* user, mo_context* c, mo_node node) {
  (void)user;
  TRY(remember(c, node, "before", 1));
  TRY(c->host->graph->mark(c, node));
  return MO_OK;
}

static mo_status load(mo_context* c) {
  static const mo_str newest = TEXT("*::Newest");
  mo_transformation_def t;
  memset(&t, 0, sizeof t);
  t.size = sizeof t;
  t.id = zoo_text("zoo.look_at_unknown");
  t.phase = MO_PHASE_MIDDLE;
  t.kind = MO_TRANSFORM_GRAPH;
  t.on_graph = look;
  TRY(c->host->registry->transformation(c, &t));
  t.id = zoo_text("zoo.fail_as_host");
  t.kind = MO_TRANSFORM_OP;
  t.on_graph = NULL;
  t.ops = &newest;
  t.n_ops = 1;
  t.on_node = fail_as_host;
  return c->host->registry->transformation(c, &t);
}

ZOO_PLUGIN("item-unknown", load)
