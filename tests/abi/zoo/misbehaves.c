/* Operations and transformations that use the host as no plugin should. */
#include "zoo.h"

static mo_status too_many_outputs(void* user, mo_context* c, const mo_infer_args* args) {
  (void)user;
  return c->host->infer->set_output(c, 7, args->inputs[0]->element_type, &args->inputs[0]->shape);
}

static mo_status garbage_status(void* user, mo_context* c, const mo_infer_args* args) {
  (void)user;
  (void)c;
  (void)args;
  return 4711;
}

static mo_status fails_without_text(void* user, mo_context* c, const mo_infer_args* args) {
  (void)user;
  (void)c;
  (void)args;
  return MO_ERROR;
}

static mo_status impossible_shape(void* user, mo_context* c, const mo_infer_args* args) {
  static const mo_dim dims[] = {{3, 1}};
  const mo_shape shape = {dims, 1};
  (void)user;
  (void)args;
  return c->host->infer->set_output(c, 0, MO_F32, &shape);
}

static mo_status impossible_type(void* user, mo_context* c, const mo_infer_args* args) {
  (void)user;
  return c->host->infer->set_output(c, 0, 99, &args->inputs[0]->shape);
}

static mo_status shape_without_dims(void* user, mo_context* c, const mo_infer_args* args) {
  const mo_shape shape = {NULL, 3};
  (void)user;
  (void)args;
  return c->host->infer->set_output(c, 0, MO_F32, &shape);
}

static mo_status null_value(void* user, mo_context* c, const mo_infer_args* args) {
  (void)user;
  (void)args;
  return c->host->infer->set_value(c, 0, NULL);
}

/* Inference reads the graph; it does not edit it. */
static mo_status edits(void* user, mo_context* c, const mo_infer_args* args) {
  (void)user;
  return c->host->graph->remove_node(c, args->node);
}

/* Registration is over. */
static mo_status registers_late(void* user, mo_context* c, const mo_infer_args* args) {
  (void)user;
  (void)args;
  return zoo_register_operation(c, "TooLate", "org.example.zoo");
}

/* infer says what evaluate does not keep. */
static mo_status other_shape(void* user, mo_context* c, const mo_evaluate_args* args) {
  const int64_t dims[] = {17};
  mo_tensor* t = NULL;
  mo_status status = c->host->tensor->create(c, MO_F32, dims, 1, &t, NULL);
  (void)user;
  (void)args;
  if (status != MO_OK) return status;
  status = c->host->infer->set_value(c, 0, t);
  c->host->tensor->release(t);
  return status;
}

static mo_status transform_garbage(void* user, mo_context* c, mo_graph g) {
  (void)user;
  (void)c;
  (void)g;
  return -3;
}

/* Edits the graph, and then fails: nothing of it may stay. */
static mo_status edit_and_fail(void* user, mo_context* c, mo_graph g) {
  const mo_graph_api* api = c->host->graph;
  mo_node_init init;
  mo_node node = 0;
  mo_status status;
  (void)user;
  memset(&init, 0, sizeof init);
  init.size = sizeof init;
  init.op = zoo_text("LeftBehind");
  init.n_outputs = 1;
  status = api->create_node(c, g, &init, &node);
  if (status != MO_OK) return status;
  status = api->set_graph_name(c, g, zoo_text("renamed"));
  if (status != MO_OK) return status;
  return c->host->fail(c, MO_ERROR, node, zoo_text("changed its mind"));
}

/* A cycle of two nodes. */
static mo_status make_cycle(void* user, mo_context* c, mo_graph g) {
  const mo_graph_api* api = c->host->graph;
  mo_node nodes[2] = {0, 0};
  mo_status status = MO_OK;
  mo_port out = {0, 0, MO_PORT_OUT}, in = {0, 0, MO_PORT_IN};
  int i;
  (void)user;
  for (i = 0; i < 2 && status == MO_OK; ++i) {
    mo_node_init init;
    mo_port none = {0, 0, MO_PORT_OUT};
    memset(&init, 0, sizeof init);
    init.size = sizeof init;
    init.op = zoo_text("Fine");
    init.opset = zoo_text("org.example.zoo");
    init.inputs = &none;
    init.n_inputs = 1;
    init.n_outputs = 1;
    status = api->create_node(c, g, &init, &nodes[i]);
  }
  for (i = 0; i < 2 && status == MO_OK; ++i) {
    out.node = nodes[i];
    in.node = nodes[1 - i];
    status = api->connect(c, out, in);
  }
  return status;
}

struct bad_infer {
  const char* op;
  mo_status (*infer)(void*, mo_context*, const mo_infer_args*);
};

static mo_status load_operations(mo_context* c) {
  static const struct bad_infer all[] = {{"TooManyOutputs", too_many_outputs},
                                         {"GarbageStatus", garbage_status},
                                         {"NoText", fails_without_text},
                                         {"ImpossibleShape", impossible_shape},
                                         {"ImpossibleType", impossible_type},
                                         {"ShapeWithoutDims", shape_without_dims},
                                         {"NullValue", null_value},
                                         {"Edits", edits},
                                         {"RegistersLate", registers_late},
                                         {"Fine", zoo_infer}};
  mo_operation_def d;
  mo_status status = MO_OK;
  size_t i;
  for (i = 0; i < sizeof all / sizeof *all && status == MO_OK; ++i) {
    d = zoo_operation(all[i].op, "org.example.zoo");
    d.infer = all[i].infer;
    status = c->host->registry->operation(c, &d);
  }
  if (status != MO_OK) return status;
  d = zoo_operation("OtherShape", "org.example.zoo");
  d.evaluate = other_shape;
  return c->host->registry->operation(c, &d);
}

struct bad_pass {
  const char* id;
  mo_status (*run)(void*, mo_context*, mo_graph);
};

static mo_status load(mo_context* c) {
  static const struct bad_pass all[] = {{"zoo.garbage_status", transform_garbage},
                                        {"zoo.edit_and_fail", edit_and_fail},
                                        {"zoo.make_cycle", make_cycle}};
  mo_status status = load_operations(c);
  size_t i;
  for (i = 0; i < sizeof all / sizeof *all && status == MO_OK; ++i) {
    mo_transformation_def d;
    memset(&d, 0, sizeof d);
    d.size = sizeof d;
    d.id = zoo_text(all[i].id);
    d.phase = MO_PHASE_MIDDLE;
    d.kind = MO_TRANSFORM_GRAPH;
    d.on_graph = all[i].run;
    status = c->host->registry->transformation(c, &d);
  }
  return status;
}

ZOO_PLUGIN("misbehaves", load)
