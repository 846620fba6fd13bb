/* mo/edits.h: edits that most transformations consist of, for plugins in C: what mo/replace.hpp is in C++.
 * They are made of calls of mo/plugin.h, so they are no part of the ABI. All are [session], as the calls they
 * make, and return the status of the first that failed, with its text; what was done until then stays, as a
 * transformation that fails is taken back as a whole. */
#ifndef MO_EDITS_H
#define MO_EDITS_H

#include <mo/plugin.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `to` gets the name that users know `from` by; `from` gets another one, `spare`, which no node may have yet.
 */
static inline mo_status mo_take_name(mo_context* c, mo_node from, mo_node to, mo_str spare) {
  const mo_graph_api* api = c->host->graph;
  char kept[1024];
  mo_str name = {NULL, 0};
  mo_status status = api->node_name(c, from, &name);
  if (status != MO_OK) return status;
  if (name.size > sizeof kept) return MO_UNSUPPORTED;
  memcpy(kept, name.data, name.size); /* borrowed until the node is edited */
  name.data = kept;
  status = api->rename(c, from, spare);
  return status != MO_OK ? status : api->rename(c, to, name);
}

/* A node like `node` that reads `inputs`: with its attributes, without its rt_info. Its graphs, if it has
 * any, are copies. `name` is made unique. */
static inline mo_status mo_clone_node(mo_context* c, mo_node node, const mo_port* inputs, uint32_t n_inputs,
                                      mo_str name, mo_node* copy) {
  enum { most = 256 };
  const mo_graph_api* api = c->host->graph;
  mo_str names[most];
  mo_node_init init;
  mo_graph graph = 0;
  uint64_t count = 0, i;
  mo_status status = api->graph_of(c, node, &graph);
  memset(&init, 0, sizeof init);
  init.size = sizeof init;
  init.name = name;
  init.inputs = inputs;
  init.n_inputs = n_inputs;
  if (status == MO_OK) status = api->op(c, node, &init.op);
  if (status == MO_OK) status = api->opset(c, node, &init.opset);
  if (status == MO_OK) status = api->port_counts(c, node, NULL, &init.n_outputs);
  if (status == MO_OK) status = api->create_node(c, graph, &init, copy);
  if (status == MO_OK) status = api->node_attr_names(c, node, names, most, &count);
  if (status == MO_OK && count > most) status = MO_UNSUPPORTED;
  for (i = 0; i < count && status == MO_OK; ++i) {
    mo_value value;
    status = api->node_attr(c, node, names[i], &value);
    if (status == MO_OK && value.kind == MO_VALUE_GRAPH)
      status = api->clone_graph(c, value.u.graph, &value.u.graph);
    if (status == MO_OK) status = api->set_node_attr(c, *copy, names[i], &value);
  }
  return status;
}

/* A Const, called `name`, with the value that output 0 of `node` is known to have. Readers are not moved.
 * MO_NOT_FOUND when it is not known. */
static inline mo_status mo_fold_constant(mo_context* c, mo_node node, mo_str name, mo_node* constant) {
  const mo_graph_api* api = c->host->graph;
  const mo_tensor_desc* desc = NULL;
  mo_graph graph = 0;
  mo_port out;
  mo_status status = api->graph_of(c, node, &graph);
  out.node = node;
  out.index = 0;
  out.direction = MO_PORT_OUT;
  if (status == MO_OK) status = api->infer(c, graph, 0);
  if (status == MO_OK) status = api->desc(c, out, &desc);
  if (status != MO_OK) return status;
  if (desc->value == NULL) return MO_NOT_FOUND;
  status = api->create_const(c, graph, name, desc->value, constant);
  return status != MO_OK ? status : api->copy_rt_info(c, &node, 1, constant, 1);
}

/* Sizes: sums and products of intervals. An end that overflows, or is not known, is none. */
static inline mo_dim mo_dim_sum(mo_dim a, mo_dim b) {
  mo_dim s;
  s.min = a.min > INT64_MAX - b.min ? INT64_MAX : a.min + b.min;
  s.max = a.max == -1 || b.max == -1 || a.max > INT64_MAX - b.max ? -1 : a.max + b.max;
  return s;
}
static inline mo_dim mo_dim_product(mo_dim a, mo_dim b) {
  mo_dim p;
  if (a.max == 0 || b.max == 0) {
    p.min = p.max = 0;
    return p;
  }
  p.min = b.min != 0 && a.min > INT64_MAX / b.min ? INT64_MAX : a.min * b.min;
  p.max = a.max == -1 || b.max == -1 || a.max > INT64_MAX / b.max ? -1 : a.max * b.max;
  return p;
}

#ifdef __cplusplus
}
#endif

#endif
