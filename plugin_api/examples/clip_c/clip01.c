/* Clip01: y = min(max(x, 0), 1), an operation with its extractor, in plain C99 and with nothing but
 * mo/plugin.h. */
#include <mo/plugin.h>
#include <string.h>

/* Strings cross the boundary with their length. */
#define TEXT(literal) \
  { (literal), sizeof(literal) - 1 }

static mo_str text(const char* s) {
  mo_str str;
  str.data = s;
  str.size = strlen(s);
  return str;
}

/* The output is what the input is, as far as that is known. */
static mo_status infer(void* user, mo_context* c, const mo_infer_args* args) {
  const mo_tensor_desc* x = args->inputs[0];
  (void)user;
  if (x == NULL) return c->host->fail(c, MO_ERROR, 0, text("input 0 is not connected"));
  return c->host->infer->set_output(c, 0, x->element_type, &x->shape);
}

/* Optional: with it the host folds constants and `mo-host run` executes the operation. */
static mo_status evaluate(void* user, mo_context* c, const mo_evaluate_args* args) {
  const mo_tensor_api* tensors = c->host->tensor;
  mo_tensor_info x;
  mo_tensor* y = NULL;
  const void* from = NULL;
  void* data = NULL;
  mo_status status;
  (void)user;

  x.size = sizeof x;
  status = tensors->info(args->inputs[0], &x);
  if (status != MO_OK) return status;
  /* Not an error: shapes and types are known all the same, only the value is not. */
  if (x.element_type != MO_F32) return MO_UNSUPPORTED;

  status = tensors->data(c, args->inputs[0], &from);
  if (status == MO_OK) status = tensors->create(c, x.element_type, x.dims, x.rank, &y, &data);
  if (status != MO_OK) return status; /* the host keeps the text of its own failures */
  for (uint64_t i = 0; i < x.bytes / sizeof(float); ++i) {
    float value;
    /* A tensor may look into the model's file, where nothing is aligned. */
    memcpy(&value, (const char*)from + i * sizeof value, sizeof value);
    ((float*)data)[i] = value < 0.0F ? 0.0F : value > 1.0F ? 1.0F : value;
  }
  status = c->host->infer->set_value(c, 0, y);
  tensors->release(y); /* our reference; the host has its own */
  return status;
}

/* The framework's operator becomes our operation. There are no attributes to take over. */
static mo_status extract(void* user, mo_context* c, mo_node node) {
  (void)user;
  return c->host->graph->set_op(c, node, text("Clip01"), text("com.acme.c"));
}

/* The host copies everything that is registered before the call returns. */
static mo_status load(mo_context* c) {
  const mo_registry_api* registry = c->host->registry;
  mo_operation_def operation;
  mo_extractor_def extractor;
  mo_status status;

  memset(&operation, 0, sizeof operation); /* zero is "absent" everywhere */
  operation.size = sizeof operation;
  operation.op = text("Clip01");
  operation.opset = text("com.acme.c");
  operation.doc = text("limits x to 0 ... 1");
  operation.min_inputs = operation.max_inputs = 1;
  operation.min_outputs = operation.max_outputs = 1;
  operation.infer = infer;
  operation.evaluate = evaluate;
  status = registry->operation(c, &operation);
  if (status != MO_OK) return status;

  memset(&extractor, 0, sizeof extractor);
  extractor.size = sizeof extractor;
  extractor.framework = text("onnx");
  extractor.domain = text("com.acme.c");
  extractor.op = text("Clip01");
  extractor.extract = extract;
  return registry->extractor(c, &extractor);
}

MO_PLUGIN_NOTE("com.acme.clip-c", MO_PLUGIN_VERSION)

const mo_plugin* mo_plugin_entry(void) {
  static const mo_plugin plugin = {sizeof(mo_plugin),
                                   MO_ABI_MAJOR,
                                   MO_TARGET_MINOR, /* built for this ABI … */
                                   MO_LOWEST_MINOR, /* … and needs this much of it */
                                   MO_ABI_CANDIDATE,
                                   TEXT("com.acme.clip-c"),
                                   TEXT(MO_PLUGIN_VERSION),
                                   TEXT("Acme"),
                                   TEXT("Apache-2.0"),
                                   TEXT("Clip01, as an example in C"),
                                   TEXT("https://acme.example/support"),
                                   load,
                                   NULL};
  return &plugin;
}
