/* A Custom operator of MXNet, registered there as "soft_threshold": what is nearer to 0 than `by` becomes 0,
 * and the rest moves towards it. An operation with its extractor, in C99 and with nothing but mo/plugin.h. */
#include <mo/plugin.h>
#include <string.h>

#define TEXT(literal) \
  { (literal), sizeof(literal) - 1 }

static mo_str text(const char* s) {
  mo_str str;
  str.data = s;
  str.size = strlen(s);
  return str;
}

static mo_status infer(void* user, mo_context* c, const mo_infer_args* args) {
  const mo_tensor_desc* x = args->inputs[0];
  (void)user;
  if (x == NULL) return c->host->fail(c, MO_ERROR, 0, text("input 0 is not connected"));
  return c->host->infer->set_output(c, 0, x->element_type, &x->shape);
}

/* Attributes of the node are read by their names; the file has them as text, what is given is a number. */
static mo_status extract(void* user, mo_context* c, mo_node node) {
  const mo_graph_api* graph = c->host->graph;
  mo_value by;
  mo_status status;
  (void)user;

  memset(&by, 0, sizeof by);
  status = graph->native_attr(c, node, text("by"), &by);
  if (status == MO_NOT_FOUND) {
    by.kind = MO_VALUE_FLOAT;
    by.u.f = 0.5; /* as the class in Python has it */
  } else if (status != MO_OK) {
    return status;
  } else if (by.kind == MO_VALUE_INT) { /* "1" */
    by.kind = MO_VALUE_FLOAT;
    by.u.f = (double)by.u.i;
  }
  if (by.kind != MO_VALUE_FLOAT)
    return c->host->fail(c, MO_WRONG_KIND, node, text("attribute 'by' is no number"));

  status = graph->set_op(c, node, text("SoftThreshold"), text("com.acme.c"));
  if (status != MO_OK) return status;
  return graph->set_node_attr(c, node, text("by"), &by);
}

static mo_status load(mo_context* c) {
  const mo_registry_api* registry = c->host->registry;
  mo_attr_def by;
  mo_operation_def operation;
  mo_extractor_def extractor;
  mo_status status;

  memset(&by, 0, sizeof by);
  by.size = sizeof by;
  by.name = text("by");
  by.kind = MO_VALUE_FLOAT;
  by.required = 1;

  memset(&operation, 0, sizeof operation);
  operation.size = sizeof operation;
  operation.op = text("SoftThreshold");
  operation.opset = text("com.acme.c");
  operation.doc = text("x, nearer to 0 by an attribute");
  operation.min_inputs = operation.max_inputs = 1;
  operation.min_outputs = operation.max_outputs = 1;
  operation.attrs = &by;
  operation.n_attrs = 1;
  operation.infer = infer;
  status = registry->operation(c, &operation);
  if (status != MO_OK) return status;

  memset(&extractor, 0, sizeof extractor);
  extractor.size = sizeof extractor;
  extractor.framework = text("mxnet");
  extractor.domain = text("Custom"); /* the op_type is the operator of this domain */
  extractor.op = text("soft_threshold");
  extractor.extract = extract;
  return registry->extractor(c, &extractor);
}

MO_PLUGIN_NOTE("com.acme.mxnet-custom-c", MO_PLUGIN_VERSION)

const mo_plugin* mo_plugin_entry(void) {
  static const mo_plugin plugin = {sizeof(mo_plugin),
                                   MO_ABI_MAJOR,
                                   MO_TARGET_MINOR,
                                   MO_LOWEST_MINOR,
                                   MO_ABI_CANDIDATE,
                                   TEXT("com.acme.mxnet-custom-c"),
                                   TEXT(MO_PLUGIN_VERSION),
                                   TEXT("Acme"),
                                   TEXT("Apache-2.0"),
                                   TEXT("a Custom operator of MXNet, as an example in C"),
                                   TEXT(""),
                                   load,
                                   NULL};
  return &plugin;
}
