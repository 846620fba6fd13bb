/* A plugin in C whose binary is kept: it calls much of what a host of ABI 1.0 offers, and says in attributes
 * what came back. What it does must not be changed; see ../README.md. */
#include <mo/plugin.h>
#include <stdio.h>
#include <string.h>

#define OPSET "org.example.frozen." FROZEN_NAME
#define TEXT(literal) \
  { (literal), sizeof(literal) - 1 }
#define TRY(call)                         \
  do {                                    \
    const mo_status status_ = (call);     \
    if (status_ != MO_OK) return status_; \
  } while (0)

static mo_str text(const char* s) {
  mo_str str;
  str.data = s;
  str.size = strlen(s);
  return str;
}
static int is(mo_str s, const char* wanted) {
  return s.size == strlen(wanted) && memcmp(s.data, wanted, s.size) == 0;
}

/* ---- An operation: y = x * scale + bias[0]
 * -------------------------------------------------------------------- */

static mo_status infer(void* user, mo_context* c, const mo_infer_args* args) {
  const mo_tensor_desc* x = args->n_inputs > 0 ? args->inputs[0] : NULL;
  (void)user;
  if (x == NULL) return c->host->fail(c, MO_ERROR, args->node, text("input 0 is not connected"));
  TRY(c->host->infer->set_output(c, 0, x->element_type, &x->shape));
  return MO_OK;
}

static mo_status evaluate(void* user, mo_context* c, const mo_evaluate_args* args) {
  static const mo_str names[] = {TEXT("scale"), TEXT("bias"), TEXT("nobody")};
  const mo_tensor_api* tensors = c->host->tensor;
  mo_value values[3];
  mo_tensor_info x;
  mo_tensor *y = NULL, *same = NULL;
  void* data = NULL;
  uint64_t i;
  mo_status status;
  if (user == NULL) return c->host->fail(c, MO_ERROR, 0, text("user is lost"));
  TRY(c->host->graph->node_attrs(c, args->node, names, 3, values));
  if (values[0].kind != MO_VALUE_FLOAT || values[1].kind != MO_VALUE_INTS || values[2].kind != MO_VALUE_NONE)
    return c->host->fail(c, MO_WRONG_KIND, args->node, text("attributes are not what was declared"));
  x.size = sizeof x;
  TRY(tensors->info(args->inputs[0], &x));
  if (x.element_type != MO_F32) return MO_UNSUPPORTED;
  TRY(tensors->create(c, x.element_type, x.dims, x.rank, &y, &data));
  for (i = 0; i < x.bytes / sizeof(float); ++i) {
    float v;
    memcpy(&v, (const char*)x.data + i * sizeof v, sizeof v);
    ((float*)data)[i] = (float)(v * values[0].u.f + (double)values[1].u.ints[0]);
  }
  /* A view of a tensor is as good as itself. */
  status = tensors->view(c, y, 0, x.element_type, x.dims, x.rank, &same);
  if (status == MO_OK) status = c->host->infer->set_value(c, 0, same);
  tensors->retain(y);
  tensors->release(y);
  tensors->release(y);
  tensors->release(same);
  tensors->release(NULL);
  return status;
}

static mo_status ir_attrs(void* user, mo_context* c, mo_node node) {
  mo_value scale;
  char number[32];
  (void)user;
  TRY(c->host->graph->node_attr(c, node, text("scale"), &scale));
  snprintf(number, sizeof number, "%g", scale.u.f * scale.u.f);
  return c->host->infer->add_ir_attr(c, text("squared"), text(number));
}

/* ---- Its extractor
 * ---------------------------------------------------------------------------------------------- */

static mo_status extract(void* user, mo_context* c, mo_node node) {
  const mo_graph_api* g = c->host->graph;
  mo_str domain, op;
  int32_t version = 0;
  mo_value v;
  char said[96];
  (void)user;
  TRY(g->native_key(c, node, &domain, &version, &op));
  if (g->native_attr(c, node, text("no such attribute"), &v) != MO_NOT_FOUND)
    return c->host->fail(c, MO_ERROR, node, text("an attribute came from nowhere"));
  snprintf(said, sizeof said, "%.*s/%.*s/%d", (int)domain.size, domain.data, (int)op.size, op.data,
           (int)version);
  TRY(g->set_op(c, node, text("Frozen"), text(OPSET)));
  memset(&v, 0, sizeof v);
  v.kind = MO_VALUE_STRING;
  v.u.s = text(said);
  TRY(g->set_node_attr(c, node, text("key"), &v));
  v.kind = MO_VALUE_FLOAT;
  v.u.f = 0.5;
  return g->set_node_attr(c, node, text("scale"), &v);
}

/* ---- A front transformation: Frozen(x) {mode="twice"}  ->  Frozen(Frozen(x))
 * -------------------------------------- */

static mo_status wanted(void* user, mo_context* c, mo_graph graph, int32_t* ok) {
  mo_str name;
  (void)user;
  TRY(c->host->graph->graph_name(c, graph, &name));
  *ok = 1;
  return MO_OK;
}

static mo_status on_node(void* user, mo_context* c, mo_node node) {
  const mo_graph_api* g = c->host->graph;
  const mo_port in = {node, 0, MO_PORT_IN};
  mo_port x, made[2];
  mo_graph graph;
  mo_value mode;
  mo_node_init init;
  int i;
  (void)user;
  TRY(g->node_attr(c, node, text("mode"), &mode));
  if (!is(mode.u.s, "plain"))
    return c->host->rewrite->decline(c, text("it has been made by this transformation"));
  TRY(g->source(c, in, &x));
  TRY(g->graph_of(c, node, &graph));
  for (i = 0; i < 2; ++i) {
    mo_value v;
    memset(&init, 0, sizeof init);
    init.size = sizeof init;
    init.op = text("Frozen");
    init.opset = text(OPSET);
    init.inputs = i == 0 ? &x : &made[0];
    init.n_inputs = 1;
    init.n_outputs = 1;
    made[i].index = 0;
    made[i].direction = MO_PORT_OUT;
    TRY(g->create_node(c, graph, &init, &made[i].node));
    memset(&v, 0, sizeof v);
    v.kind = MO_VALUE_STRING;
    v.u.s = text(i == 0 ? "first" : "second");
    TRY(g->set_node_attr(c, made[i].node, text("mode"), &v));
  }
  /* The second one has what the extractor has found. */
  TRY(g->node_attr(c, node, text("key"), &mode));
  TRY(g->set_node_attr(c, made[1].node, text("key"), &mode));
  TRY(g->node_attr(c, node, text("scale"), &mode));
  TRY(g->set_node_attr(c, made[1].node, text("scale"), &mode));
  TRY(g->copy_rt_info(c, &node, 1, &made[1].node, 1));
  return c->host->rewrite->replace_outputs(c, node, &made[1], 1);
}

/* ---- A transformation of the whole graph, which asks for as much as it can
 * ------------------------------------------ */

static mo_status describe(mo_context* c, mo_graph graph, mo_node node, char* said, size_t room) {
  const mo_graph_api* g = c->host->graph;
  uint32_t inputs = 0, outputs = 0;
  uint64_t readers = 0, names = 0, attributes = 0;
  mo_port out = {node, 0, MO_PORT_OUT}, other;
  const mo_tensor_desc* desc = NULL;
  mo_str op, opset, name, list[16];
  mo_graph owner = 0;
  mo_node found = 0;
  mo_str wanted_name;
  mo_value mode, by_list;
  TRY(g->op(c, node, &op));
  TRY(g->opset(c, node, &opset));
  TRY(g->node_name(c, node, &name));
  TRY(g->find(c, graph, name, &found));
  TRY(g->graph_of(c, node, &owner));
  TRY(g->port_counts(c, node, &inputs, &outputs));
  TRY(g->destinations(c, out, &other, 0, &readers));
  TRY(g->tensor_names(c, out, list, 16, &names));
  TRY(g->node_attr_names(c, node, list, 16, &attributes));
  TRY(g->desc(c, out, &desc));
  wanted_name = text("mode");
  TRY(g->node_attrs(c, node, &wanted_name, 1, &by_list));
  TRY(g->node_attr(c, node, text("mode"), &mode));
  snprintf(said, room, "%.*s %.*s in=%u out=%u readers=%u names=%u type=%d rank=%d same=%d%d", (int)op.size,
           op.data, (int)mode.u.s.size, mode.u.s.data, inputs, outputs, (unsigned)readers, (unsigned)names,
           (int)desc->element_type, (int)desc->shape.rank, found == node && owner == graph,
           by_list.u.s.size == mode.u.s.size && opset.size == sizeof OPSET - 1);
  return MO_OK;
}

static mo_status on_graph(void* user, mo_context* c, mo_graph graph) {
  const mo_graph_api* g = c->host->graph;
  mo_node nodes[64];
  uint64_t count = 0, all = 0, sorted = 0, ins = 0, outs = 0, i;
  mo_status stale;
  mo_node probe = 0;
  mo_node_init init;
  mo_value v;
  (void)user;
  TRY(g->topological(c, graph, nodes, 64, &sorted));
  TRY(g->nodes(c, graph, text(""), nodes, 0, &all));
  TRY(g->parameters(c, graph, nodes, 64, &ins));
  TRY(g->results(c, graph, nodes, 64, &outs));
  /* A node that is gone is told from others. */
  memset(&init, 0, sizeof init);
  init.size = sizeof init;
  init.op = text("Frozen");
  init.opset = text(OPSET);
  init.n_inputs = 0;
  init.n_outputs = 1;
  TRY(g->create_node(c, graph, &init, &probe));
  TRY(g->remove_node(c, probe));
  stale = g->mark(c, probe);
  c->host->log(c, MO_LOG_DEBUG, text("the frozen plugin looks at the graph"));
  if (c->host->progress(c, 1, 1) != MO_OK) return MO_CANCELLED;
  TRY(g->nodes(c, graph, text("Frozen"), nodes, 64, &count));
  for (i = 0; i < count && i < 64; ++i) {
    char said[256], counts[96];
    mo_str opset;
    TRY(g->opset(c, nodes[i], &opset));
    if (!is(opset, OPSET)) continue;
    TRY(describe(c, graph, nodes[i], said, sizeof said));
    memset(&v, 0, sizeof v);
    v.kind = MO_VALUE_STRING;
    v.u.s = text(said);
    TRY(g->set_node_attr(c, nodes[i], text("said"), &v));
    snprintf(counts, sizeof counts, "inputs=%u outputs=%u sorted=%d stale=%d", (unsigned)ins, (unsigned)outs,
             sorted == all, (int)stale);
    v.u.s = text(counts);
    TRY(g->set_rt_info(c, nodes[i], text("frozen"), &v));
    TRY(g->rt_info(c, nodes[i], text("frozen"), &v));
    if (!is(v.u.s, counts)) return c->host->fail(c, MO_ERROR, nodes[i], text("rt_info came back changed"));
    /* Read back as an attribute, which is what is shown. */
    TRY(g->set_node_attr(c, nodes[i], text("counts"), &v));
  }
  return MO_OK;
}

/* ---- Registration
 * --------------------------------------------------------------------------------------------------- */

static int released;
static void release(void* user) { released += user != NULL; }

static mo_status load(mo_context* c) {
  static const mo_str modes[] = {TEXT("plain"), TEXT("first"), TEXT("second")};
  static const mo_str ops[] = {TEXT(OPSET "::Frozen")};
  static const int64_t three[] = {3};
  static char user[] = "user";
  const mo_registry_api* r = c->host->registry;
  mo_value one, plain, list;
  mo_attr_def attrs[6];
  mo_operation_def op;
  mo_extractor_def ex;
  mo_transformation_def t;
  mo_option_def option;
  const void* table = NULL;
  int i;

  if (c->host->abi_major != MO_ABI_MAJOR || !MO_HAS(c->host, convert)) return MO_UNSUPPORTED;
  memset(&one, 0, sizeof one);
  one.kind = MO_VALUE_FLOAT;
  one.u.f = 1;
  memset(&plain, 0, sizeof plain);
  plain.kind = MO_VALUE_STRING;
  plain.u.s = text("plain");
  memset(&list, 0, sizeof list);
  list.kind = MO_VALUE_INTS;
  list.count = 1;
  list.u.ints = three;
  memset(attrs, 0, sizeof attrs);
  for (i = 0; i < 6; ++i) attrs[i].size = sizeof attrs[i];
  attrs[0].name = text("scale");
  attrs[0].kind = MO_VALUE_FLOAT;
  attrs[0].fallback = &one;
  attrs[1].name = text("bias");
  attrs[1].kind = MO_VALUE_INTS;
  attrs[1].fallback = &list;
  attrs[2].name = text("mode");
  attrs[2].kind = MO_VALUE_STRING;
  attrs[2].fallback = &plain;
  attrs[2].allowed = modes;
  attrs[2].n_allowed = 3;
  for (i = 3; i < 6; ++i) attrs[i].kind = MO_VALUE_STRING;
  attrs[3].name = text("key");
  attrs[4].name = text("said");
  attrs[5].name = text("counts");
  memset(&op, 0, sizeof op);
  op.size = sizeof op;
  op.op = text("Frozen");
  op.opset = text(OPSET);
  op.doc = text("x * scale + bias");
  op.attrs = attrs;
  op.n_attrs = 6;
  op.min_inputs = op.max_inputs = 1;
  op.min_outputs = op.max_outputs = 1;
  op.user = user;
  op.infer = infer;
  op.evaluate = evaluate;
  op.ir_attrs = ir_attrs;
  op.release = release;
  TRY(r->operation(c, &op));

  memset(&ex, 0, sizeof ex);
  ex.size = sizeof ex;
  ex.framework = text("toy");
  ex.domain = text(OPSET);
  ex.op = text("Frozen");
  ex.since = 1;
  ex.until = 7;
  ex.extract = extract;
  TRY(r->extractor(c, &ex));

  memset(&t, 0, sizeof t);
  t.size = sizeof t;
  t.id = text("frozen." FROZEN_NAME ".front");
  t.doc = text("Frozen becomes two of them");
  t.ops = ops;
  t.n_ops = 1;
  t.phase = MO_PHASE_FRONT;
  t.kind = MO_TRANSFORM_OP;
  t.condition = wanted;
  t.on_node = on_node;
  TRY(r->transformation(c, &t));

  memset(&t, 0, sizeof t);
  t.size = sizeof t;
  t.id = text("frozen." FROZEN_NAME ".middle");
  t.doc = text("looks at the graph");
  t.phase = MO_PHASE_PRE_MIDDLE;
  t.kind = MO_TRANSFORM_GRAPH;
  t.recursive = MO_OFF;
  t.on_graph = on_graph;
  TRY(r->transformation(c, &t));

  memset(&option, 0, sizeof option);
  option.size = sizeof option;
  option.name = text("frozen_" FROZEN_NAME);
  option.help = text("nothing");
  option.kind = MO_OPTION_INT;
  option.fallback = text("3");
  TRY(r->option(c, &option));
  TRY(r->add_interface(c, text("org.example.frozen." FROZEN_NAME), 1, three));
  if (c->host->get_interface(c, text("org.example.nobody"), 1, &table) == MO_OK) return MO_ERROR;
  return MO_OK;
}

MO_PLUGIN_NOTE("org.example.frozen." FROZEN_NAME, "1.0.0")

const mo_plugin* mo_plugin_entry(void) {
  static const mo_plugin plugin = {sizeof(mo_plugin),
                                   MO_ABI_MAJOR,
                                   MO_TARGET_MINOR,
                                   MO_LOWEST_MINOR,
                                   MO_ABI_CANDIDATE,
                                   TEXT("org.example.frozen." FROZEN_NAME),
                                   TEXT("1.0.0"),
                                   TEXT("mo-host"),
                                   TEXT("Apache-2.0"),
                                   TEXT("is kept as it was built"),
                                   TEXT(""),
                                   load,
                                   NULL};
  return &plugin;
}
