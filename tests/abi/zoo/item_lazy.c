/* A constant of weights in no memory, in C99: half of another one, computed when somebody reads it. */
#include "zoo.h"

#define TRY(call)                       \
  do {                                  \
    const mo_status status = (call);    \
    if (status != MO_OK) return status; \
  } while (0)

/* Counts for the test. */
static int counts[2]; /* readings, releases */

static mo_status read_half(void* user, mo_context* c, uint64_t offset, uint64_t bytes, void* buffer) {
  float* const to = (float*)buffer;
  uint64_t i = 0;
  ++counts[0];
  TRY(c->host->tensor->read(c, (mo_tensor*)user, offset, bytes, buffer));
  for (i = 0; i < bytes / sizeof *to; ++i) to[i] /= 2;
  return MO_OK;
}

static void release_half(void* user) {
  (void)user; /* the host kept it, as one of `bases` */
  ++counts[1];
}

static mo_status halve(void* user, mo_context* c, mo_graph g) {
  mo_node node = 0, made = 0;
  mo_port out;
  const mo_tensor_desc* desc = NULL;
  mo_tensor_info info;
  mo_tensor* half = NULL;
  mo_tensor* base = NULL;
  mo_lazy_def d;
  (void)user;
  TRY(c->host->graph->find(c, g, zoo_text("weights"), &node));
  memset(&out, 0, sizeof out);
  out.node = node;
  out.direction = MO_PORT_OUT;
  TRY(c->host->graph->desc(c, out, &desc));
  base = desc->value;
  memset(&info, 0, sizeof info);
  info.size = sizeof info;
  TRY(c->host->tensor->info(base, &info));
  memset(&d, 0, sizeof d);
  d.size = sizeof d;
  d.dims = info.dims;
  d.rank = info.rank;
  d.bases = &base;
  d.n_bases = 1;
  d.user = base;
  d.read = read_half;
  d.release = release_half;
  d.element_type = info.element_type;
  TRY(c->host->tensor->lazy(c, &d, &half));
  TRY(c->host->graph->create_const(c, g, zoo_text("half"), half, &made));
  c->host->tensor->release(half);
  return MO_OK;
}

static mo_status load(mo_context* c) {
  mo_transformation_def t;
  TRY(c->host->registry->add_interface(c, zoo_text("org.example.zoo.readings"), 1, counts));
  memset(&t, 0, sizeof t);
  t.size = sizeof t;
  t.id = zoo_text("zoo.halve");
  t.phase = MO_PHASE_MIDDLE;
  t.kind = MO_TRANSFORM_GRAPH;
  t.recursive = MO_OFF;
  t.on_graph = halve;
  return c->host->registry->transformation(c, &t);
}

ZOO_PLUGIN("item-lazy", load)
