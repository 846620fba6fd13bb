// Calls every function of the host as nobody should: handles of what is gone or never was, NULL where a
// result goes, NULL texts with a length, other phases' functions. Each must be refused with a status and a
// text, and do nothing.
#include <string>

#include "zoo.h"

namespace {

struct Abuse {
  mo_context* c;
  std::string complaints;

  // Refused as `expected`, with a text.
  void refused(const char* what, mo_status got, mo_status expected) {
    const mo_str error = c->host->last_error(c);
    if (got != expected)
      complaints += std::string(what) + " gives status " + std::to_string(got) + ", expected " +
                    std::to_string(expected) + "; ";
    else if (error.size == 0)
      complaints += std::string(what) + " is refused without a text; ";
  }
};
#define STALE(call) a.refused(#call, api.call, MO_STALE_HANDLE)
#define WRONG(call) a.refused(#call, api.call, MO_INVALID_ARGUMENT)
#define PHASE(call) a.refused(#call, api.call, MO_WRONG_PHASE)

void stale_handles(Abuse& a, mo_node gone) {
  mo_context* c = a.c;
  const mo_graph_api& api = *c->host->graph;
  const mo_str name = zoo_text("x");
  const mo_graph no_graph = 4000000000U;
  mo_str text{};
  mo_graph graph = 0;
  mo_node node = 0, nodes[2] = {};
  mo_value value{};
  mo_port port{};
  uint64_t count = 0;
  uint32_t in = 0, out = 0;
  int32_t version = 0;
  const mo_tensor_desc* desc = nullptr;
  const mo_operation_def* definition = nullptr;
  const mo_symbols* symbols = nullptr;
  const mo_shape shape{nullptr, -1};
  for (const mo_graph g : {no_graph, mo_graph{0}, ~mo_graph{0}}) {
    STALE(graph_name(c, g, &text));
    STALE(set_graph_name(c, g, name));
    STALE(clone_graph(c, g, &graph));
    STALE(parent(c, g, &node));
    STALE(graph_attr(c, g, name, &value));
    STALE(set_graph_attr(c, g, name, nullptr));
    STALE(graph_attr_names(c, g, &text, 1, &count));
    STALE(nodes(c, g, name, nodes, 2, &count));
    STALE(topological(c, g, nodes, 2, &count));
    STALE(find(c, g, name, &node));
    STALE(parameters(c, g, nodes, 2, &count));
    STALE(results(c, g, nodes, 2, &count));
    STALE(infer(c, g, 1));
    STALE(clean_up(c, g));
  }
  for (const mo_node n : {gone, mo_node{0}, ~mo_node{0}, mo_node{1} << 40U}) {
    const mo_port to{n, 0, MO_PORT_IN}, from{n, 0, MO_PORT_OUT};
    STALE(remove_node(c, n));
    STALE(graph_of(c, n, &graph));
    STALE(op(c, n, &text));
    STALE(opset(c, n, &text));
    STALE(set_op(c, n, name, name));
    STALE(node_name(c, n, &text));
    STALE(rename(c, n, name));
    STALE(mark(c, n));
    STALE(port_counts(c, n, &in, &out));
    STALE(add_port(c, n, MO_PORT_IN, &port));
    STALE(delete_port(c, to));
    STALE(source(c, to, &port));
    STALE(destinations(c, from, &port, 1, &count));
    STALE(connect(c, from, to));
    STALE(disconnect(c, to));
    STALE(set_source(c, from, from, MO_NAMES_MERGE));
    STALE(set_destination(c, from, to, MO_NAMES_MERGE));
    STALE(insert_node(c, from, n, MO_NAMES_MERGE));
    STALE(desc(c, from, &desc));
    STALE(set_shape(c, from, MO_F32, &shape));
    STALE(tensor_names(c, from, &text, 1, &count));
    STALE(set_tensor_names(c, from, nullptr, 0));
    STALE(node_attr(c, n, name, &value));
    STALE(set_node_attr(c, n, name, nullptr));
    STALE(node_attr_names(c, n, &text, 1, &count));
    STALE(rt_info(c, n, name, &value));
    STALE(set_rt_info(c, n, name, nullptr));
    STALE(rt_info_names(c, n, &text, 1, &count));
    STALE(definition(c, n, &definition));
    STALE(symbols(c, n, nullptr, &symbols));
    STALE(copy_rt_info(c, &n, 1, &n, 1));
    STALE(native_attr(c, n, name, &value));
    STALE(native_attr_names(c, n, &text, 1, &count));
    STALE(native_tag(c, n, &count));
    STALE(native_key(c, n, &text, &version, &text));
    STALE(node_attrs(c, n, &name, 1, &value));
    STALE(set_ir_attr(c, n, name, name));
  }
}

void nowhere_to_write(Abuse& a, mo_graph g, mo_node n) {
  mo_context* c = a.c;
  const mo_str name = zoo_text("x");
  const mo_port from{n, 0, MO_PORT_OUT}, to{n, 0, MO_PORT_IN};
  {
    const mo_graph_api& api = *c->host->graph;
    WRONG(graph_name(c, g, nullptr));
    WRONG(clone_graph(c, g, nullptr));
    WRONG(graph_attr(c, g, name, nullptr));
    WRONG(graph_attr_names(c, g, nullptr, 0, nullptr));
    WRONG(create_graph(c, name, nullptr));
    WRONG(parent(c, g, nullptr));
    WRONG(nodes(c, g, name, nullptr, 0, nullptr));
    WRONG(topological(c, g, nullptr, 0, nullptr));
    WRONG(find(c, g, name, nullptr));
    WRONG(parameters(c, g, nullptr, 0, nullptr));
    WRONG(results(c, g, nullptr, 0, nullptr));
    WRONG(create_node(c, g, nullptr, nullptr));
    WRONG(create_const(c, g, name, nullptr, nullptr));
    WRONG(graph_of(c, n, nullptr));
    WRONG(op(c, n, nullptr));
    WRONG(opset(c, n, nullptr));
    WRONG(node_name(c, n, nullptr));
    WRONG(add_port(c, n, 5, nullptr));
    WRONG(source(c, to, nullptr));
    WRONG(destinations(c, from, nullptr, 0, nullptr));
    WRONG(desc(c, from, nullptr));
    WRONG(set_shape(c, from, MO_F32, nullptr));
    WRONG(set_value(c, from, nullptr));
    WRONG(tensor_names(c, from, nullptr, 0, nullptr));
    WRONG(set_tensor_names(c, from, nullptr, 3));
    WRONG(node_attr(c, n, name, nullptr));
    WRONG(node_attr_names(c, n, nullptr, 0, nullptr));
    WRONG(rt_info(c, n, name, nullptr));
    WRONG(rt_info_names(c, n, nullptr, 0, nullptr));
    WRONG(definition(c, n, nullptr));
    WRONG(definition_of(c, name, name, nullptr));
    WRONG(copy_rt_info(c, nullptr, 2, nullptr, 2));
    WRONG(native_tag(c, n, nullptr));
    WRONG(node_attrs(c, n, nullptr, 2, nullptr));
    WRONG(defining_opset(c, name, name, nullptr));
    WRONG(set_source(c, from, from, 77));
    // Ports that the node does not have.
    const mo_port far{n, 99, MO_PORT_OUT}, odd{n, 0, 3};
    WRONG(desc(c, far, nullptr));
    mo_port port{};
    WRONG(source(c, from, &port));
    WRONG(connect(c, far, to));
    WRONG(connect(c, odd, to));
    WRONG(disconnect(c, odd));
  }
  {
    const mo_tensor_api& api = *c->host->tensor;
    mo_tensor* t = nullptr;
    const int64_t minus[] = {-3}, huge[] = {INT64_MAX, INT64_MAX}, two[] = {2};
    const float data[2] = {};
    WRONG(create(c, MO_F32, two, 1, nullptr, nullptr));
    WRONG(create(c, MO_F32, nullptr, 2, &t, nullptr));
    a.refused("create with a negative dimension", api.create(c, MO_F32, minus, 1, &t, nullptr),
              MO_INVALID_ARGUMENT);
    a.refused("create with more than memory", api.create(c, MO_F32, huge, 2, &t, nullptr),
              MO_INVALID_ARGUMENT);
    WRONG(wrap(c, MO_F32, two, 1, data, sizeof data, nullptr, nullptr, nullptr));
    WRONG(wrap(c, MO_F32, two, 1, nullptr, sizeof data, nullptr, nullptr, &t));
    a.refused("wrap of too few bytes", api.wrap(c, MO_F32, two, 1, data, 4, nullptr, nullptr, &t),
              MO_INVALID_ARGUMENT);
    WRONG(view(c, nullptr, 0, MO_F32, two, 1, &t));
    mo_lazy_def empty{};
    WRONG(lazy(c, nullptr, &t));
    WRONG(lazy(c, &empty, &t));
    WRONG(read(c, nullptr, 0, 0, nullptr));
    if (api.info(nullptr, nullptr) != MO_INVALID_ARGUMENT) a.complaints += "info of nothing; ";
    api.release(nullptr);
  }
  {
    const mo_file_api& api = *c->host->file;
    mo_file* file = nullptr;
    WRONG(open(c, name, nullptr));
    a.refused("open of nothing", api.open(c, zoo_text("/nowhere/at/all"), &file), MO_IO_ERROR);
    WRONG(open(c, mo_str{nullptr, 5}, &file));
    WRONG(open_below(c, name, name, nullptr));
  }
}

void bad_texts(Abuse& a, mo_graph g, mo_node n) {
  mo_context* c = a.c;
  const mo_graph_api& api = *c->host->graph;
  mo_value value{};
  mo_node node = 0;
  for (const mo_str bad : {mo_str{nullptr, 4}, mo_str{"caf\xe9", 4}}) {
    WRONG(set_graph_name(c, g, bad));
    WRONG(rename(c, n, bad));
    WRONG(set_op(c, n, bad, zoo_text("")));
    WRONG(find(c, g, bad, &node));
    WRONG(node_attr(c, n, bad, &value));
    value.kind = MO_VALUE_STRING;
    value.u.s = bad;
    WRONG(set_node_attr(c, n, zoo_text("x"), &value));
  }
  value = {};
  value.kind = 1234;
  WRONG(set_node_attr(c, n, zoo_text("x"), &value));
  value.kind = MO_VALUE_INTS;
  value.count = 3;
  WRONG(set_node_attr(c, n, zoo_text("x"), &value));
}

void other_phases(Abuse& a, mo_node n) {
  mo_context* c = a.c;
  {
    const mo_infer_api& api = *c->host->infer;
    const mo_shape shape{nullptr, -1};
    PHASE(set_output(c, 0, MO_F32, &shape));
    PHASE(set_bounds(c, 0, nullptr, 0));
    PHASE(add_ir_attr(c, zoo_text("x"), zoo_text("y")));
    PHASE(evaluate_graph(c, 1, nullptr, 0, nullptr, 0));
  }
  {
    const mo_registry_api& api = *c->host->registry;
    const mo_operation_def operation = zoo_operation("Late", "org.example.zoo");
    PHASE(operation(c, &operation));
    PHASE(add_interface(c, zoo_text("late"), 1, &operation));
  }
  {
    const mo_rewrite_api& api = *c->host->rewrite;
    mo_node node = 0;
    WRONG(node(c, nullptr, zoo_text("x"), &node));
    WRONG(root(c, nullptr, &node));
    (void)n;
  }
  {
    const mo_host& api = *c->host;
    mo_value value{};
    PHASE(return_value(c, &value));
    WRONG(option(c, zoo_text("x"), nullptr));
    WRONG(get_interface(c, zoo_text("x"), 1, nullptr));
    a.refused("an unknown converter", api.convert(c, zoo_text("nobody's type"), nullptr, 0, &value),
              MO_NOT_FOUND);
  }
}

mo_status abuse(void*, mo_context* c, mo_graph g) {
  const mo_graph_api& api = *c->host->graph;
  mo_node_init init{};
  init.size = sizeof init;
  init.op = zoo_text("Victim");
  init.n_outputs = 1;
  mo_port none{0, 0, MO_PORT_OUT};
  init.inputs = &none;
  init.n_inputs = 1;
  mo_node victim = 0, gone = 0;
  if (const mo_status s = api.create_node(c, g, &init, &victim); s != MO_OK) return s;
  if (const mo_status s = api.create_node(c, g, &init, &gone); s != MO_OK) return s;
  if (const mo_status s = api.remove_node(c, gone); s != MO_OK) return s;

  Abuse a{c, {}};
  stale_handles(a, gone);
  nowhere_to_write(a, g, victim);
  bad_texts(a, g, victim);
  other_phases(a, victim);
  if (const mo_status s = api.remove_node(c, victim); s != MO_OK) return s;
  return a.complaints.empty() ? MO_OK : c->host->fail(c, MO_ERROR, 0, zoo_text(a.complaints.c_str()));
}

mo_status load(mo_context* c) {
  mo_transformation_def d{};
  d.size = sizeof d;
  d.id = zoo_text("zoo.abuse_host");
  d.phase = MO_PHASE_MIDDLE;
  d.kind = MO_TRANSFORM_GRAPH;
  d.on_graph = abuse;
  return c->host->registry->transformation(c, &d);
}

}  // namespace

ZOO_PLUGIN("abuses-host", load)
