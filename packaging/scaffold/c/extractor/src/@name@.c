/* The operator @Name@ becomes an operation that there is already: `mo-host list ops` shows them. */
#include "plugin.h"

/* A number of the operator's description becomes an attribute of the operation. */
static mo_status take(mo_context* c, mo_node node, const char* from, const char* to, const double* fallback) {
  mo_value v;
  const mo_status status = c->host->graph->native_attr(c, node, text(from), &v);
  if (status == MO_NOT_FOUND && fallback != NULL) {
    memset(&v, 0, sizeof v);
    v.kind = MO_VALUE_FLOAT;
    v.u.f = *fallback;
  } else if (status == MO_NOT_FOUND) {
    return c->host->fail(c, MO_ERROR, node, text("the operator lacks a number that it has to have"));
  } else if (status != MO_OK) {
    return status;
  }
  return c->host->graph->set_node_attr(c, node, text(to), &v);
}

/* Attributes in, attributes out: no shapes, no surgery on the graph. */
static mo_status extract(void* user, mo_context* c, mo_node node) {
  static const double lowest = 0;
  mo_status status = c->host->graph->set_op(c, node, text("Clamp"), text("opset1"));
  (void)user;
  if (status == MO_OK) status = take(c, node, "@prefix@low", "min", &lowest);
  /* Without a default, an attribute that the model lacks is an error. */
  if (status == MO_OK) status = take(c, node, "@prefix@high", "max", NULL);
  return status;
}

mo_status register_@name@(mo_context* c);
mo_status register_@name@(mo_context* c) {
  mo_extractor_def d;
  memset(&d, 0, sizeof d); /* zero is "absent" everywhere */
  d.size = sizeof d;
  d.framework = text("@framework@");
  d.domain = text("@extract_domain@");
  d.op = text("@extract_name@");
  d.extract = extract;
  return c->host->registry->extractor(c, &d);
}
