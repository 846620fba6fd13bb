/* Runs when a configuration file has an entry "@Name@", as tests/cases/@name@/transformations.json: every output is
 * multiplied by the entry's `factor`. */
#include "plugin.h"

#include <stdlib.h>

/* Behind the string that begins at `at`. */
static const char* behind_string(const char* at, const char* end) {
  for (++at; at < end && *at != '"'; ++at)
    if (*at == '\\') ++at;
  return at < end ? at + 1 : end;
}

/* A number that the JSON object has under `key`; one inside another object is another one. Entries are small, and this is
 * all that is asked of them; a plugin that reads lists from them links a library for JSON. */
static mo_status number_of(mo_context* c, mo_str json, const char* key, double* number) {
  const char *at = json.data, *const end = json.data + json.size;
  int depth = 0;
  while (at < end) {
    const char* const start = at;
    if (*at != '"') {
      depth += *at == '{' || *at == '[' ? 1 : *at == '}' || *at == ']' ? -1 : 0;
      ++at;
      continue;
    }
    at = behind_string(at, end);
    if (depth != 1 || (size_t)(at - start) != strlen(key) + 2 || memcmp(start + 1, key, strlen(key)) != 0) continue;
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')) ++at;
    if (at == end || *at != ':') continue; /* a value */
    {
      char digits[40] = "", *last = digits;
      const size_t rest = (size_t)(end - at - 1);
      memcpy(digits, at + 1, rest < sizeof digits - 1 ? rest : sizeof digits - 1);
      *number = strtod(digits, &last);
      if (last == digits) return c->host->fail(c, MO_ERROR, 0, text("\"factor\" of the entry is no number"));
    }
    return MO_OK;
  }
  return MO_OK;
}

static mo_status make_factor(mo_context* c, mo_graph graph, double factor, mo_port* out) {
  mo_tensor* value = NULL;
  void* data = NULL;
  mo_status status = c->host->tensor->create(c, MO_F32, NULL, 0, &value, &data);
  if (status != MO_OK) return status; /* the host keeps the text of its own failures */
  *(float*)data = (float)factor;
  out->index = 0;
  out->direction = MO_PORT_OUT;
  status = c->host->graph->create_const(c, graph, text("factor"), value, &out->node);
  c->host->tensor->release(value); /* our reference; the host has its own */
  return status;
}

/* Between the Result and what it reads. */
static mo_status scale(mo_context* c, mo_graph graph, mo_node result, double factor) {
  const mo_graph_api* graphs = c->host->graph;
  const mo_port end = {result, 0, MO_PORT_IN};
  mo_str names[8];
  uint64_t n_names = 0;
  mo_port inputs[2], product;
  mo_node_init init;
  mo_status status = graphs->source(c, end, &inputs[0]);
  if (status == MO_OK) status = make_factor(c, graph, factor, &inputs[1]);
  if (status != MO_OK) return status;
  memset(&init, 0, sizeof init); /* zero is "absent" everywhere */
  init.size = sizeof init;
  init.op = text("Multiply");
  init.opset = text("opset1");
  init.inputs = inputs;
  init.n_inputs = 2;
  init.n_outputs = 1;
  product.index = 0;
  product.direction = MO_PORT_OUT;
  status = graphs->create_node(c, graph, &init, &product.node);
  if (status == MO_OK) status = graphs->connect(c, product, end);
  /* Outputs keep their names. */
  if (status == MO_OK) status = graphs->tensor_names(c, inputs[0], names, 8, &n_names);
  if (status == MO_OK) status = graphs->set_tensor_names(c, product, names, n_names < 8 ? n_names : 8);
  return status != MO_OK ? status : graphs->set_tensor_names(c, inputs[0], NULL, 0);
}

static mo_status on_graph(void* user, mo_context* c, mo_graph graph) {
  double factor = 1;
  mo_str json;
  mo_node* results = NULL;
  uint64_t count = 0, i;
  mo_status status = c->host->rewrite->custom_attributes(c, NULL, &json);
  (void)user;
  if (status == MO_OK) status = number_of(c, json, "factor", &factor);
  if (status == MO_OK) status = c->host->graph->results(c, graph, NULL, 0, &count);
  if (status != MO_OK || count == 0) return status;
  results = malloc(count * sizeof *results);
  if (results == NULL) return MO_NO_MEMORY;
  status = c->host->graph->results(c, graph, results, count, &count);
  for (i = 0; i < count && status == MO_OK; ++i) status = scale(c, graph, results[i], factor);
  free(results);
  return status;
}

mo_status register_@name@(mo_context* c);
mo_status register_@name@(mo_context* c) {
  mo_transformation_def d;
  memset(&d, 0, sizeof d);
  d.size = sizeof d;
  d.id = text("@Name@"); /* that of the entries */
  d.doc = text("outputs are multiplied by the factor that the entry says");
  d.phase = MO_PHASE_FRONT;
  d.kind = MO_TRANSFORM_CONFIG_GENERAL;
  d.on_graph = on_graph;
  return c->host->registry->transformation(c, &d);
}
