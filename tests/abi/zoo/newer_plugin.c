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
  mo_status (*reverse)(void* self, mo_context*);
  mo_str category;
} newer_operation_def;

typedef struct newer_plugin {
  mo_plugin known;
  mo_str country;
} newer_plugin;

static mo_status reverse(void* self, mo_context* c) {
  (void)self;
  (void)c;
  return MO_ERROR;
}

static mo_status load(mo_context* c) {
  newer_attr_def attrs[3];
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
  d.reverse = reverse;
  d.category = zoo_text("new");
  return c->host->registry->operation(c, &d.known);
}

const mo_plugin* mo_plugin_entry(void) {
  static newer_plugin plugin = {ZOO_DESCRIPTOR("newer-plugin", load), TEXT("a field nobody knows here")};
  plugin.known.size = sizeof plugin;
  plugin.known.abi_minor = 9;
  plugin.known.abi_lowest_minor = 0;
  return &plugin.known;
}
