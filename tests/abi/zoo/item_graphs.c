/* Copies a sub-graph with all that it has, and lists names of attributes, in C99. */
#include "zoo.h"

#define TRY(call)                       \
  do {                                  \
    const mo_status status = (call);    \
    if (status != MO_OK) return status; \
  } while (0)
#define EXPECT(holds)                                                             \
  do {                                                                            \
    if (!(holds)) return c->host->fail(c, MO_ERROR, 0, zoo_text("not: " #holds)); \
  } while (0)

static mo_value text_value(const char* s) {
  mo_value v;
  memset(&v, 0, sizeof v);
  v.kind = MO_VALUE_STRING;
  v.u.s = zoo_text(s);
  return v;
}
static mo_value graph_value(mo_graph g) {
  mo_value v;
  memset(&v, 0, sizeof v);
  v.kind = MO_VALUE_GRAPH;
  v.u.graph = g;
  return v;
}
static int is(mo_str a, const char* b) { return a.size == strlen(b) && memcmp(a.data, b, a.size) == 0; }

static mo_status node_in(mo_context* c, mo_graph g, const char* op, const char* name, mo_node* node) {
  mo_node_init init;
  memset(&init, 0, sizeof init);
  init.size = sizeof init;
  init.op = zoo_text(op);
  init.opset = zoo_text("org.example.zoo");
  init.name = zoo_text(name);
  init.n_outputs = 1;
  return c->host->graph->create_node(c, g, &init, node);
}

/* sub has a node with rt_info and a body of its own. */
static mo_status fill(mo_context* c, mo_graph sub, mo_graph inner) {
  const mo_graph_api* api = c->host->graph;
  const mo_value a = text_value("a"), b = text_value("b"), body = graph_value(inner);
  mo_node n = 0;
  TRY(node_in(c, inner, "Deep", "deep", &n));
  TRY(node_in(c, sub, "Holder", "holder", &n));
  TRY(api->set_node_attr(c, n, zoo_text("body"), &body));
  TRY(api->set_node_attr(c, n, zoo_text("mode"), &a));
  TRY(api->set_rt_info(c, n, zoo_text("made_by"), &b));
  return api->set_graph_attr(c, sub, zoo_text("note"), &a);
}

static mo_status check(mo_context* c, mo_graph sub, mo_graph copy) {
  const mo_graph_api* api = c->host->graph;
  mo_node was = 0, now = 0, deep = 0;
  mo_value body_was, body_now, v;
  mo_str list[4], name;
  uint64_t count = 0;
  EXPECT(copy != sub);
  TRY(api->graph_name(c, copy, &name));
  EXPECT(is(name, "sub"));
  TRY(api->parent(c, copy, &was));
  EXPECT(was == 0);
  TRY(api->find(c, sub, zoo_text("holder"), &was));
  TRY(api->find(c, copy, zoo_text("holder"), &now));
  EXPECT(was != now);
  TRY(api->rt_info(c, now, zoo_text("made_by"), &v));
  EXPECT(is(v.u.s, "b"));
  TRY(api->rt_info_names(c, now, list, 4, &count));
  EXPECT(count == 1 && is(list[0], "made_by"));
  TRY(api->node_attr_names(c, now, list, 4, &count));
  EXPECT(count == 2 && is(list[0], "body") && is(list[1], "mode"));
  TRY(api->graph_attr_names(c, copy, list, 4, &count));
  EXPECT(count == 1 && is(list[0], "note"));
  TRY(api->node_attr(c, was, zoo_text("body"), &body_was));
  TRY(api->node_attr(c, now, zoo_text("body"), &body_now));
  EXPECT(body_was.u.graph != body_now.u.graph);
  TRY(api->find(c, body_now.u.graph, zoo_text("deep"), &deep));
  /* What happens to the copy does not happen to the original. */
  TRY(api->remove_node(c, deep));
  TRY(api->find(c, body_was.u.graph, zoo_text("deep"), &deep));
  TRY(api->set_rt_info(c, now, zoo_text("made_by"), NULL));
  return api->rt_info(c, was, zoo_text("made_by"), &v);
}

static mo_status copy_graphs(void* user, mo_context* c, mo_graph g) {
  const mo_graph_api* api = c->host->graph;
  mo_graph sub = 0, inner = 0, copy = 0;
  mo_node first = 0, second = 0, holder = 0;
  mo_value body;
  (void)user;
  TRY(api->create_graph(c, zoo_text("sub"), &sub));
  TRY(api->create_graph(c, zoo_text("inner"), &inner));
  TRY(fill(c, sub, inner));
  TRY(node_in(c, g, "First", "first", &first));
  TRY(node_in(c, g, "Second", "second", &second));
  body = graph_value(sub);
  TRY(api->set_node_attr(c, first, zoo_text("body"), &body));
  TRY(api->clone_graph(c, sub, &copy));
  TRY(check(c, sub, copy));
  body = graph_value(copy);
  TRY(api->set_node_attr(c, second, zoo_text("body"), &body));
  TRY(api->parent(c, copy, &holder));
  EXPECT(holder == second);
  TRY(api->parent(c, sub, &holder));
  EXPECT(holder == first);
  TRY(api->remove_node(c, first));
  return api->remove_node(c, second);
}

static mo_status load(mo_context* c) {
  mo_transformation_def t;
  memset(&t, 0, sizeof t);
  t.size = sizeof t;
  t.id = zoo_text("zoo.copy_graphs");
  t.phase = MO_PHASE_MIDDLE;
  t.kind = MO_TRANSFORM_GRAPH;
  t.recursive = MO_OFF;
  t.on_graph = copy_graphs;
  return c->host->registry->transformation(c, &t);
}

ZOO_PLUGIN("item-graphs", load)
