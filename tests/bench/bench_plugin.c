/* One of the many plugins of the start-up benchmark: an operation, its extractor and a transformation. The
 * script compiles this file once per plugin with its own BENCH_NUMBER. */
#include <mo/plugin.h>

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define STR(literal) \
  { literal, sizeof(literal) - 1 }
#define ID "org.mo-host.bench.p" TEXT(BENCH_NUMBER)

static mo_status infer(void* user, mo_context* context, const mo_infer_args* args) {
  const mo_tensor_desc* input = args->inputs[0];
  (void)user;
  return context->host->infer->set_output(context, 0, input->element_type, &input->shape);
}

static mo_status extract(void* user, mo_context* context, mo_node node) {
  const mo_str op = STR("Bench" TEXT(BENCH_NUMBER));
  const mo_str opset = STR(ID);
  (void)user;
  return context->host->graph->set_op(context, node, op, opset);
}

static mo_status on_node(void* user, mo_context* context, mo_node node) {
  (void)user;
  (void)context;
  (void)node;
  return MO_NOT_APPLICABLE;
}

static mo_status load(mo_context* context) {
  const mo_registry_api* registry = context->host->registry;
  const mo_str op = STR("Bench" TEXT(BENCH_NUMBER));
  const mo_attr_def attribute = {
      .size = sizeof attribute, .name = STR("scale"), .kind = MO_VALUE_FLOAT, .required = 1};
  const mo_operation_def operation = {.size = sizeof operation,
                                      .op = STR("Bench" TEXT(BENCH_NUMBER)),
                                      .opset = STR(ID),
                                      .doc = STR("does nothing"),
                                      .attrs = &attribute,
                                      .n_attrs = 1,
                                      .min_inputs = 1,
                                      .max_inputs = 1,
                                      .min_outputs = 1,
                                      .max_outputs = 1,
                                      .infer = infer};
  const mo_extractor_def extractor = {.size = sizeof extractor,
                                      .framework = STR("onnx"),
                                      .domain = STR(ID),
                                      .op = STR("Bench" TEXT(BENCH_NUMBER)),
                                      .extract = extract};
  const mo_transformation_def transformation = {.size = sizeof transformation,
                                                .id = STR("bench.pass_" TEXT(BENCH_NUMBER)),
                                                .doc = STR("never applies"),
                                                .ops = &op,
                                                .n_ops = 1,
                                                .phase = MO_PHASE_FRONT,
                                                .kind = MO_TRANSFORM_OP,
                                                .on_node = on_node};
  mo_status status = registry->operation(context, &operation);
  if (status == MO_OK) {
    status = registry->extractor(context, &extractor);
  }
  if (status == MO_OK) {
    status = registry->transformation(context, &transformation);
  }
  return status;
}

const mo_plugin* mo_plugin_entry(void) {
  static const mo_plugin plugin = {.size = sizeof plugin,
                                   .abi_major = MO_ABI_MAJOR,
                                   .abi_minor = MO_TARGET_MINOR,
                                   .abi_lowest_minor = MO_LOWEST_MINOR,
                                   .abi_candidate = MO_ABI_CANDIDATE,
                                   .id = STR(ID),
                                   .version = STR("1.0.0"),
                                   .vendor = STR("mo-host"),
                                   .license = STR("Apache-2.0"),
                                   .description = STR("one of many"),
                                   .load = load};
  return &plugin;
}
