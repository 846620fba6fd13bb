/* y = @Name@(x)  ->  y = Add(Multiply(x, x), x): an operator of the framework becomes several operations. */
#include "plugin.h"

static mo_status make(mo_context* c, mo_graph graph, const char* op, mo_port a, mo_port b, mo_port* out) {
  mo_port inputs[2];
  mo_node_init init;
  inputs[0] = a;
  inputs[1] = b;
  memset(&init, 0, sizeof init); /* zero is "absent" everywhere */
  init.size = sizeof init;
  init.op = text(op);
  init.opset = text("opset1");
  init.inputs = inputs;
  init.n_inputs = 2;
  init.n_outputs = 1;
  out->index = 0;
  out->direction = MO_PORT_OUT;
  return c->host->graph->create_node(c, graph, &init, &out->node);
}

/* Shapes are not known yet. graph->native_attr() reads attributes of the operator. */
static mo_status on_node(void* user, mo_context* c, mo_node node) {
  const mo_port in = {node, 0, MO_PORT_IN};
  mo_port x, square, sum;
  mo_graph graph;
  mo_status status = c->host->graph->source(c, in, &x);
  (void)user;
  if (status == MO_OK && x.node == 0) return c->host->fail(c, MO_ERROR, 0, text("input 0 is not connected"));
  if (status == MO_OK) status = c->host->graph->graph_of(c, node, &graph);
  if (status == MO_OK) status = make(c, graph, "Multiply", x, x, &square);
  if (status == MO_OK) status = make(c, graph, "Add", square, x, &sum);
  if (status == MO_OK) status = c->host->rewrite->replace_outputs(c, node, &sum, 1);
  return status; /* the host keeps the text of its own failures */
}

mo_status register_@name@(mo_context* c);
mo_status register_@name@(mo_context* c) {
  /* One that no extractor took. */
  static const mo_str ops[] = {{"::@operator@", sizeof("::@operator@") - 1}};
  static const mo_str frameworks[] = {{"@framework@", sizeof("@framework@") - 1}};
  mo_transformation_def d;
  memset(&d, 0, sizeof d);
  d.size = sizeof d;
  d.id = text("@plugin@.front.@name@");
  d.doc = text("what @Name@ means, in operations of the operation sets");
  d.before = text("y = @Name@(x)");
  d.after = text("y = Add(Multiply(x, x), x)");
  d.frameworks = frameworks;
  d.n_frameworks = 1;
  d.ops = ops;
  d.n_ops = 1;
  d.phase = MO_PHASE_FRONT;
  d.kind = MO_TRANSFORM_OP;
  d.on_node = on_node;
  return c->host->registry->transformation(c, &d);
}
