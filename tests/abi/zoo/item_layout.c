/* Says how an operation takes another order of dimensions, and reads that of any node. */
#include "zoo.h"

static mo_status read_layout(void* user, mo_context* c, mo_graph g) {
  const mo_graph_api* api = c->host->graph;
  mo_node nodes[8];
  uint64_t count = 0, i;
  (void)user;
  mo_status status = api->nodes(c, g, zoo_text(""), nodes, 8, &count);
  for (i = 0; i < count && status == MO_OK; ++i) {
    const mo_layout_def* layout = NULL;
    mo_value v;
    memset(&v, 0, sizeof v);
    v.kind = MO_VALUE_STRING;
    status = api->layout_of(c, nodes[i], &layout);
    if (status == MO_NOT_FOUND) {
      v.u.s = zoo_text("nothing");
    } else if (status == MO_OK) {
      if (layout->kind != MO_LAYOUT_AGNOSTIC || layout->n_axes != 1 || layout->n_fixed_inputs != 1 ||
          layout->fixed_inputs[0] != 1)
        return c->host->fail(c, MO_ERROR, nodes[i], zoo_text("the layout came back changed"));
      v.u.s = layout->axes[0];
    } else {
      return status;
    }
    status = api->set_node_attr(c, nodes[i], zoo_text("turns"), &v);
  }
  return status;
}

static mo_status load(mo_context* c) {
  static const uint32_t fixed[] = {1};
  const mo_str axis = zoo_text("axis");
  mo_operation_def d = zoo_operation("Turned", "org.example.zoo");
  mo_transformation_def t;
  mo_attr_def a;
  mo_layout_def layout;
  mo_status status;
  memset(&a, 0, sizeof a);
  a.size = sizeof a;
  a.name = axis;
  a.kind = MO_VALUE_INT;
  memset(&layout, 0, sizeof layout);
  layout.size = sizeof layout;
  layout.kind = MO_LAYOUT_AGNOSTIC;
  layout.axes = &axis;
  layout.n_axes = 1;
  layout.fixed_inputs = fixed;
  layout.n_fixed_inputs = 1;
  d.attrs = &a;
  d.n_attrs = 1;
  d.layout = &layout;
  status = c->host->registry->operation(c, &d);
  if (status != MO_OK) return status;
  memset(&t, 0, sizeof t);
  t.size = sizeof t;
  t.id = zoo_text("zoo.read_layout");
  t.phase = MO_PHASE_MIDDLE;
  t.kind = MO_TRANSFORM_GRAPH;
  t.on_graph = read_layout;
  return c->host->registry->transformation(c, &t);
}

ZOO_PLUGIN("item-layout", load)
