/* Says how an operation takes another order of dimensions, and where its sizes come from; asks both of any
 * node. */
#include "zoo.h"

/* "axis" of the operation below, "nothing" of others. */
static mo_status role_of(mo_context* c, mo_node node, mo_value* v) {
  const mo_operation_def* d = NULL;
  const mo_status status = c->host->graph->definition(c, node, &d);
  v->u.s = zoo_text("nothing");
  if (status == MO_NOT_FOUND) return MO_OK;
  if (status != MO_OK) return status;
  if (d->n_inputs != 2 || d->inputs[0].role != MO_ROLE_DATA || d->inputs[1].role != MO_ROLE_FIXED ||
      d->inputs[1].flags != MO_PORT_TAKES_SIZES || d->inputs[0].types != 1U << MO_F32 || d->n_attrs != 1 ||
      d->attrs[0].role != MO_ROLE_AXES || d->flags != MO_OP_COMMUTATIVE || d->symbols != NULL ||
      d->n_outputs != 1 || d->outputs[0].name.size != 6)
    return c->host->fail(c, MO_ERROR, node, zoo_text("the definition came back changed"));
  v->u.s = d->attrs[0].name;
  return MO_OK;
}

/* Its result has the first dimension of its input, and 7. */
static mo_status symbols(void* user, mo_context* c, mo_node node, const mo_symbols* inputs) {
  mo_symbol dims[2];
  mo_status status;
  (void)user;
  (void)node;
  if (inputs->count == 0 || inputs->tensors[0] == NULL || inputs->tensors[0]->rank < 1) return MO_OK;
  memset(dims, 0, sizeof dims);
  dims[0] = inputs->tensors[0]->dims[0];
  dims[1].kind = MO_SYMBOL_NUMBER;
  dims[1].index = 7;
  status = c->host->infer->set_symbols(c, 0, dims, 2);
  return status != MO_OK ? status : c->host->infer->set_value_symbols(c, 0, dims + 1, 1);
}

static mo_status ask(mo_context* c, mo_node node, mo_value* v) {
  const mo_graph_api* api = c->host->graph;
  const mo_symbols* outputs = NULL;
  const mo_tensor_symbols* tensors[1];
  mo_tensor_symbols tensor;
  mo_symbols inputs;
  mo_symbol dim;
  mo_status status = api->symbols(c, node, NULL, NULL);
  v->u.s = zoo_text("own");
  if (status == MO_NOT_FOUND) return MO_OK;
  memset(&dim, 0, sizeof dim);
  dim.kind = MO_SYMBOL_DIMENSION;
  dim.node = node;
  dim.index = 3;
  memset(&tensor, 0, sizeof tensor);
  tensor.size = sizeof tensor;
  tensor.dims = &dim;
  tensor.rank = 1;
  tensor.n_values = -1;
  tensors[0] = &tensor;
  memset(&inputs, 0, sizeof inputs);
  inputs.size = sizeof inputs;
  inputs.tensors = tensors;
  inputs.count = 1;
  if (status == MO_OK) status = api->symbols(c, node, &inputs, &outputs);
  if (status != MO_OK) return status;
  if (outputs->count != 1 || outputs->tensors[0]->rank != 2 || outputs->tensors[0]->dims[0].index != 3 ||
      outputs->tensors[0]->dims[0].node != node || outputs->tensors[0]->dims[1].index != 7 ||
      outputs->tensors[0]->n_values != 1)
    return c->host->fail(c, MO_ERROR, node, zoo_text("the symbols came back changed"));
  v->u.s = zoo_text("known");
  dim.kind = 9;
  if (api->symbols(c, node, &inputs, &outputs) != MO_INVALID_ARGUMENT)
    return c->host->fail(c, MO_ERROR, node, zoo_text("a symbol of kind 9 was taken"));
  return MO_OK;
}

static mo_status on_graph(void* user, mo_context* c, mo_graph g) {
  const mo_graph_api* api = c->host->graph;
  mo_node nodes[8];
  uint64_t count = 0, i;
  (void)user;
  mo_status status = api->nodes(c, g, zoo_text(""), nodes, 8, &count);
  for (i = 0; i < count && status == MO_OK; ++i) {
    mo_value v;
    memset(&v, 0, sizeof v);
    v.kind = MO_VALUE_STRING;
    status = role_of(c, nodes[i], &v);
    if (status == MO_OK) status = api->set_node_attr(c, nodes[i], zoo_text("turns"), &v);
    if (status == MO_OK) status = ask(c, nodes[i], &v);
    if (status == MO_OK) status = api->set_node_attr(c, nodes[i], zoo_text("sizes"), &v);
  }
  return status;
}

static mo_status load(mo_context* c) {
  mo_operation_def d = zoo_operation("Turned", "org.example.zoo");
  mo_transformation_def t;
  mo_attr_def a;
  mo_port_def inputs[2], output;
  mo_status status;
  memset(&a, 0, sizeof a);
  a.size = sizeof a;
  a.name = zoo_text("axis");
  a.kind = MO_VALUE_INT;
  a.role = MO_ROLE_AXES;
  memset(inputs, 0, sizeof inputs);
  inputs[0].size = inputs[1].size = sizeof inputs[0];
  inputs[0].name = zoo_text("data");
  inputs[0].role = MO_ROLE_DATA;
  inputs[0].types = 1U << MO_F32;
  inputs[1].name = zoo_text("sizes");
  inputs[1].role = MO_ROLE_FIXED;
  inputs[1].flags = MO_PORT_TAKES_SIZES;
  memset(&output, 0, sizeof output);
  output.size = sizeof output;
  output.name = zoo_text("result");
  d.attrs = &a;
  d.n_attrs = 1;
  d.inputs = inputs;
  d.n_inputs = 2;
  d.max_inputs = 2;
  d.outputs = &output;
  d.n_outputs = 1;
  d.flags = MO_OP_COMMUTATIVE;
  d.symbols = symbols;
  status = c->host->registry->operation(c, &d);
  if (status != MO_OK) return status;
  memset(&t, 0, sizeof t);
  t.size = sizeof t;
  t.id = zoo_text("zoo.read_definition");
  t.phase = MO_PHASE_MIDDLE;
  t.kind = MO_TRANSFORM_GRAPH;
  t.on_graph = on_graph;
  return c->host->registry->transformation(c, &t);
}

ZOO_PLUGIN("item-layout", load)
