// Lets C++ exceptions out of its callbacks, without the SDK that would stop them: out of the one that the
// option zoo_throw names, and always where there is nobody to tell.
#include <stdexcept>
#include <string>

#include "zoo.h"

namespace {

std::string chosen(mo_context* c) {
  mo_value v{};
  if (c->host->option(c, zoo_text("zoo_throw"), &v) != MO_OK || v.kind != MO_VALUE_STRING) return {};
  return {v.u.s.data, v.u.s.size};
}
void boom(mo_context* c, const char* callback) {
  if (chosen(c) == callback) throw std::runtime_error(std::string("boom in ") + callback);
}

mo_status infer(void* user, mo_context* c, const mo_infer_args* args) {
  boom(c, "infer");
  return zoo_infer(user, c, args);
}
mo_status evaluate(void*, mo_context* c, const mo_evaluate_args* args) {
  boom(c, "evaluate");
  return c->host->infer->set_value(c, 0, args->inputs[0]);
}
mo_status ir_attrs(void*, mo_context* c, mo_node) {
  boom(c, "ir_attrs");
  return MO_OK;
}
mo_status extract(void*, mo_context* c, mo_node node) {
  boom(c, "extract");
  mo_value v{};
  const mo_status attr = c->host->graph->native_attr(c, node, zoo_text("anything"), &v);
  if (attr != MO_OK && attr != MO_NOT_FOUND) return attr;
  uint64_t count = 0;
  const mo_status names = c->host->graph->native_attr_names(c, node, nullptr, 0, &count);
  if (names != MO_OK) return names;
  return c->host->graph->set_op(c, node, zoo_text("Thrower"), zoo_text("org.example.zoo"));
}
mo_status condition(void*, mo_context* c, mo_graph, int32_t* ok) {
  boom(c, "condition");
  *ok = 1;
  return MO_OK;
}
mo_status on_graph(void*, mo_context* c, mo_graph) {
  boom(c, "on_graph");
  return MO_OK;
}
mo_status on_node(void*, mo_context* c, mo_node) {
  boom(c, "on_node");
  return MO_NOT_APPLICABLE;
}
mo_status on_match(void*, mo_context* c, mo_match*) {
  boom(c, "on_match");
  return MO_NOT_APPLICABLE;
}
mo_status predicate(void*, mo_context* c, mo_port, int32_t* ok) {
  boom(c, "predicate");
  *ok = 1;
  return MO_OK;
}
void release(void*) { throw std::runtime_error("boom in release"); }

mo_status probe(void*, mo_context* c, const mo_probe_args* args, int32_t* score) {
  boom(c, "probe");
  const std::string extension(args->extension.data, args->extension.size);
  *score = extension == ".zoo" ? 100 : 0;
  return MO_OK;
}

// unload has no context that could tell what was chosen.
const void* last_harmful = nullptr;

// Parameter -> Thrower -> Result, whatever is in the file.
mo_status load_model(void*, mo_context* c, mo_str, mo_graph g, void** model) {
  boom(c, "load_model");
  const mo_graph_api& api = *c->host->graph;
  const mo_dim dims[] = {{1, 1}, {4, 4}};
  mo_node nodes[3] = {};
  const char* ops[] = {"Parameter", "Thrower", "Result"};
  for (size_t i = 0; i < 3; ++i) {
    const mo_port from{i == 0 ? 0 : nodes[i - 1], 0, MO_PORT_OUT};
    mo_node_init init{};
    init.size = sizeof init;
    init.op = zoo_text(ops[i]);
    if (i != 1) init.opset = zoo_text("opset1");
    init.inputs = &from;
    init.n_inputs = i == 0 ? 0 : 1;
    init.n_outputs = i == 2 ? 0 : 1;
    init.native = i == 1 ? 7 : 0;
    if (const mo_status s = api.create_node(c, g, &init, &nodes[i]); s != MO_OK) return s;
  }
  mo_value type{}, shape{};
  type.kind = MO_VALUE_TYPE;
  type.u.i = MO_F32;
  shape.kind = MO_VALUE_SHAPE;
  shape.u.shape = {dims, 2};
  if (const mo_status s = api.set_node_attr(c, nodes[0], zoo_text("element_type"), &type); s != MO_OK)
    return s;
  if (const mo_status s = api.set_node_attr(c, nodes[0], zoo_text("shape"), &shape); s != MO_OK) return s;
  static int harmless, harmful;
  *model = chosen(c) == "unload" ? &harmful : &harmless;
  last_harmful = &harmful;
  return MO_OK;
}
mo_status native_attr(void*, mo_context* c, void*, uint64_t, mo_str) {
  boom(c, "native_attr");
  return MO_NOT_FOUND;
}
mo_status native_attr_names(void*, mo_context* c, void*, uint64_t) {
  boom(c, "native_attr_names");
  mo_value v{};
  v.kind = MO_VALUE_STRINGS;
  return c->host->return_value(c, &v);
}
mo_status native_key(void*, mo_context* c, void*, uint64_t, mo_str* domain, int32_t* version, mo_str* op) {
  boom(c, "native_key");
  *domain = zoo_text("");
  *version = 1;
  *op = zoo_text("Thrower");
  return MO_OK;
}
void unload(void*, void* model) {
  if (model == last_harmful) throw std::runtime_error("boom in unload");
}

mo_transformation_def transformation(const char* id, int32_t kind) {
  mo_transformation_def d{};
  d.size = sizeof d;
  d.id = zoo_text(id);
  d.phase = MO_PHASE_MIDDLE;
  d.kind = kind;
  d.release = release;
  return d;
}

mo_status load_passes(mo_context* c) {
  const mo_registry_api& r = *c->host->registry;
  mo_transformation_def whole = transformation("zoo.throw_graph", MO_TRANSFORM_GRAPH);
  whole.condition = condition;
  whole.on_graph = on_graph;
  mo_transformation_def nodes = transformation("zoo.throw_node", MO_TRANSFORM_OP);
  const mo_str op = zoo_text("Thrower");
  nodes.ops = &op;
  nodes.n_ops = 1;
  nodes.on_node = on_node;
  mo_transformation_def match = transformation("zoo.throw_match", MO_TRANSFORM_MATCHER);
  mo_pattern_node root{};
  root.size = sizeof root;
  root.kind = MO_PATTERN_OP;
  root.ops = &op;
  root.n_ops = 1;
  root.flags = MO_PATTERN_VARIADIC;
  root.predicate = predicate;
  match.nodes = &root;
  match.n_nodes = 1;
  match.on_match = on_match;
  for (const mo_transformation_def* d : {&whole, &nodes, &match})
    if (const mo_status s = r.transformation(c, d); s != MO_OK) return s;
  return MO_OK;
}

mo_status load(mo_context* c) {
  const mo_registry_api& r = *c->host->registry;
  mo_option_def option{};
  option.size = sizeof option;
  option.name = zoo_text("zoo_throw");
  option.help = zoo_text("name of the callback that throws");
  option.kind = MO_OPTION_STRING;
  if (const mo_status s = r.option(c, &option); s != MO_OK) return s;

  mo_operation_def operation = zoo_operation("Thrower", "org.example.zoo");
  operation.infer = infer;
  operation.evaluate = evaluate;
  operation.ir_attrs = ir_attrs;
  operation.release = release;
  if (const mo_status s = r.operation(c, &operation); s != MO_OK) return s;

  mo_extractor_def extractor{};
  extractor.size = sizeof extractor;
  extractor.framework = zoo_text("zoo");
  extractor.op = zoo_text("Thrower");
  extractor.extract = extract;
  extractor.release = release;
  if (const mo_status s = r.extractor(c, &extractor); s != MO_OK) return s;

  static const mo_str extension = TEXT(".zoo");
  mo_frontend_def frontend{};
  frontend.size = sizeof frontend;
  frontend.name = zoo_text("zoo");
  frontend.extensions = &extension;
  frontend.n_extensions = 1;
  frontend.probe = probe;
  frontend.load = load_model;
  frontend.native_attr = native_attr;
  frontend.native_attr_names = native_attr_names;
  frontend.native_key = native_key;
  frontend.unload = unload;
  frontend.release = release;
  if (const mo_status s = r.frontend(c, &frontend); s != MO_OK) return s;
  return load_passes(c);
}

void shutdown() { throw std::runtime_error("boom in shutdown"); }

}  // namespace

const mo_plugin* mo_plugin_entry(void) {
  static mo_plugin plugin = ZOO_DESCRIPTOR("throws", load);
  plugin.shutdown = shutdown;
  return &plugin;
}
