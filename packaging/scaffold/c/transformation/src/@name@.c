/* y = Maximum(x, Negative(x))  ->  y = Abs(x), in the @phase@ phase: shapes and types are known. */
#include "plugin.h"

/* The out-port that in-port `index` of a node reads; its node is 0 when there is none. */
static mo_port source_of(mo_context* c, mo_node node, uint32_t index) {
  const mo_port in = {node, index, MO_PORT_IN};
  mo_port out = {0, 0, MO_PORT_OUT};
  if (c->host->graph->source(c, in, &out) != MO_OK) out.node = 0;
  return out;
}

static mo_status on_node(void* user, mo_context* c, mo_node maximum) {
  const mo_graph_api* graphs = c->host->graph;
  uint32_t side;
  (void)user;
  for (side = 0; side < 2; ++side) {
    const mo_port x = source_of(c, maximum, side), other = source_of(c, maximum, 1 - side);
    mo_port negated, result;
    mo_node_init init;
    mo_graph graph;
    mo_status status;
    mo_str op;
    if (x.node == 0 || other.node == 0) continue;
    if (graphs->op(c, other.node, &op) != MO_OK) continue;
    if (op.size != 8 || memcmp(op.data, "Negative", 8) != 0) continue;
    negated = source_of(c, other.node, 0);
    if (negated.node != x.node || negated.index != x.index) continue;

    status = graphs->graph_of(c, maximum, &graph);
    if (status != MO_OK) return status;
    memset(&init, 0, sizeof init); /* zero is "absent" everywhere */
    init.size = sizeof init;
    init.op = text("Abs");
    init.opset = text("opset1");
    init.inputs = &x;
    init.n_inputs = 1;
    init.n_outputs = 1;
    result.index = 0;
    result.direction = MO_PORT_OUT;
    status = graphs->create_node(c, graph, &init, &result.node);
    if (status != MO_OK) return status;
    status = graphs->copy_rt_info(c, &maximum, 1, &result.node, 1);
    if (status != MO_OK) return status;
    return c->host->rewrite->replace_outputs(c, maximum, &result, 1);
  }
  /* Shown by `mo-host --explain`. */
  return c->host->rewrite->decline(c, 0, text("no operand is the negative of the other one"));
}

mo_status register_@name@(mo_context* c);
mo_status register_@name@(mo_context* c) {
  static const mo_str ops[] = {{"Maximum", 7}};
  mo_transformation_def d;
  memset(&d, 0, sizeof d);
  d.size = sizeof d;
  d.id = text("@plugin@.@phase@.@name@");
  d.doc = text("the larger one of a number and its negative is its absolute value");
  /* Graphs in the text form are tried out by `mo-host plugin check`. */
  d.before = text(
      "%x = Parameter -> f32[2,?]\n"
      "%n = Negative@@opset1 (%x)\n"
      "%m = Maximum@@opset1 (%n, %x)\n"
      "Result (%m)\n");
  d.after = text(
      "%x = Parameter -> f32[2,?]\n"
      "%a = Abs@@opset1 (%x)\n"
      "Result (%a)\n");
  d.force_clean_up = MO_ON; /* what nobody reads any more goes at once */
  d.ops = ops;
  d.n_ops = 1;
  d.phase = MO_PHASE_@PHASE@;
  d.kind = MO_TRANSFORM_OP;
  d.on_node = on_node;
  return c->host->registry->transformation(c, &d);
}
