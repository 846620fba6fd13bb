/* What the plugins that break one rule of `mo-host plugin check` share: things that break none. */
#ifndef MO_CHECK_ZOO_H
#define MO_CHECK_ZOO_H

#include "zoo.h"

#if defined(__GNUC__)
#define MAYBE_UNUSED __attribute__((unused))
#else
#define MAYBE_UNUSED
#endif

/* Writes the elements of an output that has the type and shape of the input, whose elements are at `from`. */
typedef void zoo_fill(const mo_tensor_info* x, const void* from, void* y);

MAYBE_UNUSED static void fill_with_input(const mo_tensor_info* x, const void* from, void* y) {
  if (x->bytes != 0) memcpy(y, from, x->bytes);
}

MAYBE_UNUSED static mo_status look_at_input(mo_context* c, const mo_evaluate_args* args, mo_tensor_info* x,
                                            const void** data) {
  const mo_tensor_api* tensors = c->host->tensor;
  mo_status status;
  x->size = sizeof *x;
  status = tensors->info(args->inputs[0], x);
  return status != MO_OK ? status : tensors->data(c, args->inputs[0], data);
}

/* The output, which is the caller's to release. */
MAYBE_UNUSED static mo_status make_output(mo_context* c, const mo_evaluate_args* args, zoo_fill* fill,
                                          mo_tensor** y) {
  mo_tensor_info x;
  const void* from = NULL;
  void* data = NULL;
  mo_status status = look_at_input(c, args, &x, &from);
  if (status != MO_OK) return status;
  status = c->host->tensor->create(c, x.element_type, x.dims, x.rank, y, &data);
  if (status == MO_OK) fill(&x, from, data);
  return status;
}

MAYBE_UNUSED static mo_status give_output(mo_context* c, mo_tensor* y) {
  const mo_status status = c->host->infer->set_value(c, 0, y);
  c->host->tensor->release(y);
  return status;
}

MAYBE_UNUSED static mo_status evaluate_by(mo_context* c, const mo_evaluate_args* args, zoo_fill* fill) {
  mo_tensor* y = NULL;
  const mo_status status = make_output(c, args, fill, &y);
  return status != MO_OK ? status : give_output(c, y);
}

/* The value of the output is that of the input. */
MAYBE_UNUSED static mo_status good_evaluate(void* user, mo_context* c, const mo_evaluate_args* args) {
  (void)user;
  return evaluate_by(c, args, fill_with_input);
}

/* One input, one output that is the same. */
MAYBE_UNUSED static mo_operation_def good_operation(void) {
  mo_operation_def d = zoo_operation("Copy", "org.example.zoo");
  d.evaluate = good_evaluate;
  return d;
}

MAYBE_UNUSED static mo_status register_good(mo_context* c) {
  const mo_operation_def d = good_operation();
  return c->host->registry->operation(c, &d);
}

/* Makes a Copy of what the source calls Copy. */
MAYBE_UNUSED static mo_status good_extract(void* user, mo_context* c, mo_node node) {
  (void)user;
  return c->host->graph->set_op(c, node, zoo_text("Copy"), zoo_text("org.example.zoo"));
}

MAYBE_UNUSED static mo_status register_extractor(mo_context* c,
                                                 mo_status (*extract)(void*, mo_context*, mo_node)) {
  mo_extractor_def d;
  const mo_status status = register_good(c);
  if (status != MO_OK) return status;
  memset(&d, 0, sizeof d);
  d.size = sizeof d;
  d.framework = zoo_text("zoo");
  d.op = zoo_text("Copy");
  d.extract = extract;
  return c->host->registry->extractor(c, &d);
}

MAYBE_UNUSED static mo_status register_pass(mo_context* c, mo_status (*run)(void*, mo_context*, mo_graph),
                                            const char* before, const char* after) {
  mo_transformation_def d;
  const mo_status status = register_good(c);
  if (status != MO_OK) return status;
  memset(&d, 0, sizeof d);
  d.size = sizeof d;
  d.id = zoo_text("zoo.pass");
  d.before = zoo_text(before);
  d.after = zoo_text(after);
  d.phase = MO_PHASE_MIDDLE;
  d.kind = MO_TRANSFORM_GRAPH;
  d.on_graph = run;
  return c->host->registry->transformation(c, &d);
}

/* The first nodes named Copy of a graph. */
enum { MOST_COPIES = 64 };
MAYBE_UNUSED static mo_status find_copies(mo_context* c, mo_graph g, mo_node* nodes, uint64_t* count) {
  const mo_status status = c->host->graph->nodes(c, g, zoo_text("Copy"), nodes, MOST_COPIES, count);
  if (status == MO_OK && *count > MOST_COPIES) *count = MOST_COPIES;
  return status;
}

MAYBE_UNUSED static mo_status set_int(mo_context* c, mo_node node, const char* name, int64_t value) {
  mo_value v;
  memset(&v, 0, sizeof v);
  v.kind = MO_VALUE_INT;
  v.u.i = value;
  return c->host->graph->set_node_attr(c, node, zoo_text(name), &v);
}

/* Takes files that begin with "zoo". */
MAYBE_UNUSED static mo_status good_probe(void* user, mo_context* c, const mo_probe_args* args,
                                         int32_t* score) {
  (void)user;
  (void)c;
  *score = args->head_bytes >= 3 && memcmp(args->head, "zoo", 3) == 0 ? 100 : 0;
  return MO_OK;
}

MAYBE_UNUSED static mo_status good_load(void* user, mo_context* c, mo_str path, mo_graph graph,
                                        void** model) {
  mo_file* file = NULL;
  const void* data = NULL;
  uint64_t bytes = 0;
  mo_status status = c->host->file->open(c, path, &file);
  (void)user;
  (void)graph;
  if (status != MO_OK) return status;
  c->host->file->data(file, &data, &bytes);
  if (bytes < 3 || memcmp(data, "zoo", 3) != 0)
    status = c->host->fail(c, MO_ERROR, 0, zoo_text("the file does not begin with 'zoo'"));
  c->host->file->release(file);
  *model = NULL;
  return status;
}

MAYBE_UNUSED static mo_status no_attr(void* user, mo_context* c, void* model, uint64_t tag, mo_str name) {
  (void)user;
  (void)c;
  (void)model;
  (void)tag;
  (void)name;
  return MO_NOT_FOUND;
}

MAYBE_UNUSED static mo_status no_names(void* user, mo_context* c, void* model, uint64_t tag) {
  (void)user;
  (void)c;
  (void)model;
  (void)tag;
  return MO_NOT_FOUND;
}

MAYBE_UNUSED static mo_status no_key(void* user, mo_context* c, void* model, uint64_t tag, mo_str* domain,
                                     int32_t* version, mo_str* op) {
  (void)user;
  (void)c;
  (void)model;
  (void)tag;
  (void)domain;
  (void)version;
  (void)op;
  return MO_NOT_FOUND;
}

MAYBE_UNUSED static mo_frontend_def good_frontend(void) {
  mo_frontend_def d;
  memset(&d, 0, sizeof d);
  d.size = sizeof d;
  d.name = zoo_text("zoo");
  d.probe = good_probe;
  d.load = good_load;
  d.native_attr = no_attr;
  d.native_attr_names = no_names;
  d.native_key = no_key;
  return d;
}

#endif
