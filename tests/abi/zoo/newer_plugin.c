/* What a plugin of a later ABI looks like that can do with ours: its structs go on where ours end. Not
 * broken. */
#include "zoo.h"

typedef struct newer_attr_def {
  mo_attr_def known;
  mo_str unit;
  uint64_t more;
} newer_attr_def;

typedef struct newer_operation_def {
  mo_operation_def known;
  mo_status (*reverse)(void* user, mo_context*);
  mo_str category;
} newer_operation_def;

typedef struct newer_plugin {
  mo_plugin known;
  mo_str country;
} newer_plugin;

typedef struct newer_port_def {
  mo_port_def known;
  uint64_t more;
} newer_port_def;

typedef struct newer_pattern_attr {
  mo_pattern_attr known;
  uint64_t more;
} newer_pattern_attr;

typedef struct newer_pattern_node {
  mo_pattern_node known;
  mo_str note;
} newer_pattern_node;

typedef struct newer_pattern_edge {
  mo_pattern_edge known;
  double weight;
} newer_pattern_edge;

static mo_status reverse(void* user, mo_context* c) {
  (void)user;
  (void)c;
  return MO_ERROR;
}

static mo_status on_match(void* user, mo_context* c, mo_match* match) {
  mo_node first = 0;
  const mo_status status = c->host->rewrite->node(c, match, zoo_text("b"), &first);
  (void)user;
  return status != MO_OK ? status : c->host->graph->rename(c, first, zoo_text("found by a newer plugin"));
}

/* a -> b -> c, where b has two attributes. */
static mo_status load_pattern(mo_context* c) {
  static const char* const aliases[] = {"a", "b", "c"};
  newer_pattern_node nodes[3];
  newer_pattern_attr attrs[2];
  newer_pattern_edge edges[2];
  mo_transformation_def t;
  size_t i;
  memset(nodes, 0, sizeof nodes);
  memset(attrs, 0, sizeof attrs);
  memset(edges, 0, sizeof edges);
  for (i = 0; i < 3; ++i) {
    nodes[i].known.size = sizeof nodes[i];
    nodes[i].known.alias = zoo_text(aliases[i]);
    nodes[i].known.kind = MO_PATTERN_OP;
    nodes[i].note = zoo_text("newer");
  }
  for (i = 0; i < 2; ++i) {
    attrs[i].known.size = sizeof attrs[i];
    attrs[i].known.name = zoo_text(aliases[i]);
    attrs[i].known.value.kind = MO_VALUE_INT;
    attrs[i].known.value.u.i = (int64_t)i;
    attrs[i].more = 0xffffffffffffffffU;
    edges[i].known.size = sizeof edges[i];
    edges[i].known.producer = (uint32_t)i;
    edges[i].known.consumer = (uint32_t)i + 1;
    edges[i].known.out_port = edges[i].known.in_port = MO_ANY_PORT;
    edges[i].weight = 1e300;
  }
  nodes[1].known.attrs = &attrs[0].known;
  nodes[1].known.n_attrs = 2;
  memset(&t, 0, sizeof t);
  t.size = sizeof t;
  t.id = zoo_text("zoo.newer_pattern");
  t.phase = MO_PHASE_MIDDLE;
  t.kind = MO_TRANSFORM_PATTERN;
  t.nodes = &nodes[0].known;
  t.n_nodes = 3;
  t.edges = &edges[0].known;
  t.n_edges = 2;
  t.on_match = on_match;
  return c->host->registry->transformation(c, &t);
}

static mo_status load(mo_context* c) {
  newer_attr_def attrs[3];
  newer_port_def inputs[2];
  mo_status status;
  newer_operation_def d;
  size_t i;
  memset(attrs, 0, sizeof attrs);
  memset(&d, 0, sizeof d);
  for (i = 0; i < 3; ++i) {
    attrs[i].known.size = sizeof attrs[i];
    attrs[i].known.kind = MO_VALUE_INT;
    attrs[i].unit = zoo_text("seconds");
    attrs[i].more = 0xffffffffffffffffU;
  }
  attrs[0].known.name = zoo_text("first");
  attrs[1].known.name = zoo_text("second");
  attrs[2].known.name = zoo_text("third");
  d.known = zoo_operation("Newer", "org.example.zoo");
  d.known.size = sizeof d;
  d.known.attrs = &attrs[0].known;
  d.known.n_attrs = 3;
  memset(inputs, 0, sizeof inputs);
  for (i = 0; i < 2; ++i) {
    inputs[i].known.size = sizeof inputs[i];
    inputs[i].known.name = i == 0 ? zoo_text("first") : zoo_text("second");
    inputs[i].known.role = i == 0 ? MO_ROLE_DATA : MO_ROLE_ANY;
    inputs[i].more = 0xffffffffffffffffU;
  }
  d.known.inputs = &inputs[0].known;
  d.known.n_inputs = d.known.max_inputs = 2;
  d.reverse = reverse;
  d.category = zoo_text("new");
  status = c->host->registry->operation(c, &d.known);
  return status != MO_OK ? status : load_pattern(c);
}

const mo_plugin* mo_plugin_entry(void) {
  static newer_plugin plugin = {ZOO_DESCRIPTOR("newer-plugin", load), TEXT("a field nobody knows here")};
  plugin.known.size = sizeof plugin;
  plugin.known.abi_minor = 9;
  plugin.known.abi_lowest_minor = 0;
  return &plugin.known;
}
