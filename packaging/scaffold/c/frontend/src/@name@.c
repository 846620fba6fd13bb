/* Reads files of lines: "@name@ 1" first, then "input NAME SIZES", "node OPERATOR NAME SOURCE", "output NAME". What the
 * operators mean is said by extractors, of which one is at the end. */
#include "plugin.h"

#include <stdio.h>
#include <stdlib.h>

static const char first_line[] = "@name@ 1";
enum { longest_word = 80, most_sizes = 16 };

/* What stays while the model is converted. The words look into the file. */
typedef struct {
  const mo_host* host;
  mo_file* file;
  mo_str* operators; /* a node's tag is the place of its own, from 1 */
  uint64_t n_operators;
} model_t;

/* What is read, and the tensors that there are so far. They are looked up one by one: enough for some thousand lines. */
typedef struct {
  mo_context* c;
  mo_graph graph;
  model_t* model;
  mo_str* names;
  mo_port* ports;
  uint64_t n_tensors;
} reader_t;

static int same(mo_str a, mo_str b) { return a.size == b.size && memcmp(a.data, b.data, a.size) == 0; }

/* Takes what `separator` ends from the front of `rest`. */
static mo_str take(mo_str* rest, char separator) {
  mo_str piece = *rest;
  const char* end;
  if (rest->size == 0) return piece;
  end = memchr(rest->data, separator, rest->size);
  if (end != NULL) piece.size = (size_t)(end - rest->data);
  rest->data += piece.size + (end != NULL);
  rest->size -= piece.size + (end != NULL);
  return piece;
}

static mo_status wrong(mo_context* c, mo_str word, const char* what) {
  char message[longest_word + 200];
  const int shown = (int)(word.size < longest_word ? word.size : longest_word);
  snprintf(message, sizeof message, "'%.*s' %s", shown, word.size == 0 ? "" : word.data, what);
  return c->host->fail(c, MO_ERROR, 0, text(message));
}

static mo_status find(const reader_t* r, mo_str name, mo_port* port) {
  uint64_t i;
  for (i = r->n_tensors; i > 0; --i)
    if (same(r->names[i - 1], name)) {
      *port = r->ports[i - 1];
      return MO_OK;
    }
  return wrong(r->c, name, "is read, and nothing in front makes it");
}

static mo_status make(reader_t* r, mo_node_init* init, mo_str tensor, mo_node* node) {
  mo_status status;
  mo_port* const port = &r->ports[r->n_tensors];
  init->size = sizeof *init;
  status = r->c->host->graph->create_node(r->c, r->graph, init, node);
  if (status != MO_OK || init->n_outputs == 0) return status; /* the host keeps the text of its own failures */
  port->node = *node;
  port->index = 0;
  port->direction = MO_PORT_OUT;
  r->names[r->n_tensors++] = tensor;
  return r->c->host->graph->set_tensor_names(r->c, *port, &tensor, 1);
}

static mo_status read_input(reader_t* r, mo_str rest) {
  const mo_str name = take(&rest, ' ');
  mo_dim dims[most_sizes];
  mo_node_init init;
  mo_value type, shape;
  mo_node node;
  mo_status status;
  memset(&type, 0, sizeof type); /* zero is "absent" everywhere */
  type.kind = MO_VALUE_TYPE;
  type.u.i = MO_F32;
  memset(&shape, 0, sizeof shape);
  shape.kind = MO_VALUE_SHAPE;
  shape.u.shape.dims = dims;
  while (rest.size > 0) {
    const mo_str word = take(&rest, ' ');
    char digits[20] = "", *end = digits;
    long size;
    if (word.size == 0) continue;
    memcpy(digits, word.data, word.size < sizeof digits - 1 ? word.size : sizeof digits - 1);
    size = strtol(digits, &end, 10);
    if (*end != '\0' || size < 0) return wrong(r->c, word, "is no size of a dimension; expected 0 or more");
    if (shape.u.shape.rank == most_sizes) return wrong(r->c, name, "has more than 16 dimensions");
    dims[shape.u.shape.rank].min = dims[shape.u.shape.rank].max = size;
    ++shape.u.shape.rank;
  }
  memset(&init, 0, sizeof init);
  init.op = text("Parameter");
  init.opset = text("opset1");
  init.name = name;
  init.n_outputs = 1;
  status = make(r, &init, name, &node);
  if (status == MO_OK) status = r->c->host->graph->set_node_attr(r->c, node, text("element_type"), &type);
  return status != MO_OK ? status : r->c->host->graph->set_node_attr(r->c, node, text("shape"), &shape);
}

static mo_status read_node(reader_t* r, mo_str rest) {
  const mo_str op = take(&rest, ' '), name = take(&rest, ' '), source = take(&rest, ' ');
  mo_port from;
  mo_node_init init;
  mo_node node;
  const mo_status status = find(r, source, &from);
  if (status != MO_OK) return status;
  r->model->operators[r->model->n_operators++] = op;
  memset(&init, 0, sizeof init);
  init.op = op;
  init.name = name;
  init.inputs = &from;
  init.n_inputs = init.n_outputs = 1;
  init.native = r->model->n_operators;
  return make(r, &init, name, &node);
}

static mo_status read_output(reader_t* r, mo_str rest) {
  const mo_str name = take(&rest, ' ');
  mo_port from;
  mo_node_init init;
  mo_node node;
  const mo_status status = find(r, name, &from);
  if (status != MO_OK) return status;
  memset(&init, 0, sizeof init);
  init.op = text("Result");
  init.opset = text("opset1");
  init.inputs = &from;
  init.n_inputs = 1;
  return make(r, &init, name, &node);
}

static mo_status read_line(reader_t* r, mo_str line) {
  mo_str rest = line;
  const mo_str word = take(&rest, ' ');
  if (same(word, text("input"))) return read_input(r, rest);
  if (same(word, text("node"))) return read_node(r, rest);
  if (same(word, text("output"))) return read_output(r, rest);
  if (line.size == 0) return MO_OK;
  return wrong(r->c, line, "is no line of such a file; expected input, node or output");
}

static mo_status read_lines(mo_context* c, mo_graph graph, mo_str rest, model_t* model) {
  reader_t r;
  uint64_t lines = 1;
  size_t i;
  mo_status status = MO_NO_MEMORY;
  memset(&r, 0, sizeof r);
  r.c = c;
  r.graph = graph;
  r.model = model;
  for (i = 0; i < rest.size; ++i) lines += rest.data[i] == '\n';
  r.names = malloc(lines * sizeof *r.names);
  r.ports = malloc(lines * sizeof *r.ports);
  model->operators = malloc(lines * sizeof *model->operators);
  if (r.names != NULL && r.ports != NULL && model->operators != NULL)
    status = same(take(&rest, '\n'), text(first_line)) ? MO_OK : wrong(c, text(first_line), "is not the first line");
  while (status == MO_OK && rest.size > 0) status = read_line(&r, take(&rest, '\n'));
  free(r.names);
  free(r.ports);
  return status;
}

static void unload(void* user, void* opaque) {
  model_t* const model = opaque;
  (void)user;
  model->host->file->release(model->file);
  free(model->operators);
  free(model);
}

static mo_status load(void* user, mo_context* c, const mo_model_source* source, mo_graph graph, void** opaque) {
  model_t* const model = calloc(1, sizeof *model);
  const void* data = NULL;
  uint64_t bytes = 0;
  mo_str lines;
  mo_status status = model == NULL ? MO_NO_MEMORY : c->host->file->open(c, source->path, &model->file);
  if (status != MO_OK) {
    free(model);
    return status;
  }
  model->host = c->host;
  c->host->file->data(model->file, &data, &bytes);
  lines.data = data;
  lines.size = bytes;
  status = read_lines(c, graph, lines, model);
  if (status == MO_OK)
    *opaque = model;
  else
    unload(user, model);
  return status;
}

/* 0: not mine, 100: certainly. Foreign files come here, too. */
static mo_status probe(void* user, mo_context* c, const mo_probe_args* args, int32_t* score) {
  const size_t size = sizeof first_line - 1;
  (void)user;
  (void)c;
  *score = args->head_bytes >= size && memcmp(args->head, first_line, size) == 0 ? 95 : 0;
  return MO_OK;
}

/* By which extractors are found. */
static mo_status native_key(void* user, mo_context* c, void* opaque, uint64_t tag, mo_str* domain, int32_t* version,
                            mo_str* op) {
  const model_t* const model = opaque;
  (void)user;
  (void)c;
  if (tag == 0 || tag > model->n_operators) return MO_NOT_FOUND;
  *domain = text("");
  *version = 1;
  *op = model->operators[tag - 1];
  return MO_OK;
}

/* An attribute is given with c->host->return_value(c, &value). Operators have none so far. */
static mo_status native_attr(void* user, mo_context* c, void* opaque, uint64_t tag, mo_str name) {
  (void)user;
  (void)c;
  (void)opaque;
  (void)tag;
  (void)name;
  return MO_NOT_FOUND;
}

static mo_status native_attr_names(void* user, mo_context* c, void* opaque, uint64_t tag) {
  mo_value none;
  (void)user;
  (void)opaque;
  (void)tag;
  memset(&none, 0, sizeof none);
  none.kind = MO_VALUE_STRINGS;
  return c->host->return_value(c, &none);
}

static mo_status extract_magnitude(void* user, mo_context* c, mo_node node) {
  (void)user;
  return c->host->graph->set_op(c, node, text("Abs"), text("opset1"));
}

mo_status register_@name@(mo_context* c);
mo_status register_@name@(mo_context* c) {
  static const mo_str extensions[] = {{".@name@", sizeof(".@name@") - 1}};
  mo_frontend_def d;
  mo_extractor_def magnitude;
  mo_status status;
  memset(&d, 0, sizeof d);
  d.size = sizeof d;
  d.name = text("@name@");
  d.extensions = extensions;
  d.n_extensions = 1;
  d.probe = probe;
  d.load = load;
  d.native_attr = native_attr;
  d.native_attr_names = native_attr_names;
  d.native_key = native_key;
  d.unload = unload;
  status = c->host->registry->frontend(c, &d);
  if (status != MO_OK) return status;
  memset(&magnitude, 0, sizeof magnitude);
  magnitude.size = sizeof magnitude;
  magnitude.framework = text("@name@");
  magnitude.op = text("Magnitude");
  magnitude.extract = extract_magnitude;
  return c->host->registry->extractor(c, &magnitude);
}
