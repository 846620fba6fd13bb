/* @Name@: y = x * scale, an operation, and how it is read from a model. */
#include "plugin.h"

typedef mo_status (*read_fn)(mo_context*, mo_node, mo_str, mo_value*);

static mo_status scale_of(mo_context* c, mo_node node, read_fn read, const char* name, double* scale) {
  mo_value v;
  const mo_status status = read(c, node, text(name), &v);
  if (status == MO_OK && v.kind != MO_VALUE_FLOAT)
    return c->host->fail(c, MO_WRONG_KIND, node, text("attribute 'scale' is not a number"));
  if (status == MO_OK) *scale = v.u.f;
  return status;
}

/* The output is what the input is, as far as that is known. */
static mo_status infer(void* user, mo_context* c, const mo_infer_args* args) {
  const mo_tensor_desc* x = args->inputs[0];
  (void)user;
  if (x == NULL) return c->host->fail(c, MO_ERROR, 0, text("input 0 is not connected"));
  return c->host->infer->set_output(c, 0, x->element_type, &x->shape);
}

/* Optional: with it the host folds constants, and `mo-host run` computes the operation. */
static mo_status evaluate(void* user, mo_context* c, const mo_evaluate_args* args) {
  const mo_tensor_api* tensors = c->host->tensor;
  mo_tensor_info x;
  mo_tensor* y = NULL;
  const void* from = NULL;
  void* data = NULL;
  double scale = 1;
  uint64_t i;
  mo_status status = scale_of(c, args->node, c->host->graph->node_attr, "scale", &scale);
  (void)user;
  if (status != MO_OK) return status;
  x.size = sizeof x;
  status = tensors->info(args->inputs[0], &x);
  if (status != MO_OK) return status;
  /* Not an error: shapes and types are known all the same, only the value is not. */
  if (x.element_type != MO_F32) return MO_UNSUPPORTED;

  status = tensors->data(c, args->inputs[0], &from);
  if (status == MO_OK) status = tensors->create(c, x.element_type, x.dims, x.rank, &y, &data);
  if (status != MO_OK) return status; /* the host keeps the text of its own failures */
  for (i = 0; i < x.bytes / sizeof(float); ++i) {
    float value;
    /* A tensor may look into the model's file, where nothing is aligned. */
    memcpy(&value, (const char*)from + i * sizeof value, sizeof value);
    ((float*)data)[i] = (float)(value * scale);
  }
  status = c->host->infer->set_value(c, 0, y);
  tensors->release(y); /* our reference; the host has its own */
  return status;
}

/* The framework's operator becomes our operation. */
static mo_status extract(void* user, mo_context* c, mo_node node) {
  double scale = 1;
  mo_value v;
  mo_status status = scale_of(c, node, c->host->graph->native_attr, "@prefix@scale", &scale);
  (void)user;
  if (status != MO_OK && status != MO_NOT_FOUND) return status;
  memset(&v, 0, sizeof v);
  v.kind = MO_VALUE_FLOAT;
  v.u.f = scale;
  status = c->host->graph->set_op(c, node, text("@Name@"), text("@domain@"));
  return status != MO_OK ? status : c->host->graph->set_node_attr(c, node, text("scale"), &v);
}

static mo_status register_operation(mo_context* c) {
  mo_value one;
  mo_attr_def scale;
  mo_operation_def d;
  memset(&one, 0, sizeof one); /* zero is "absent" everywhere */
  one.kind = MO_VALUE_FLOAT;
  one.u.f = 1;
  memset(&scale, 0, sizeof scale);
  scale.size = sizeof scale;
  scale.name = text("scale");
  scale.kind = MO_VALUE_FLOAT;
  scale.fallback = &one;
  memset(&d, 0, sizeof d);
  d.size = sizeof d;
  d.op = text("@Name@");
  d.opset = text("@domain@");
  d.doc = text("x * scale");
  d.attrs = &scale;
  d.n_attrs = 1;
  d.min_inputs = d.max_inputs = 1;
  d.min_outputs = d.max_outputs = 1;
  d.infer = infer;
  d.evaluate = evaluate;
  return c->host->registry->operation(c, &d);
}

static mo_status register_extractor(mo_context* c) {
  mo_extractor_def d;
  memset(&d, 0, sizeof d);
  d.size = sizeof d;
  d.framework = text("@framework@");
  d.domain = text("@extract_domain@");
  d.op = text("@extract_name@");
  d.extract = extract;
  return c->host->registry->extractor(c, &d);
}

mo_status register_@name@(mo_context* c);
mo_status register_@name@(mo_context* c) {
  const mo_status status = register_operation(c);
  return status != MO_OK ? status : register_extractor(c);
}
