/* Not broken: an operation whose legal calls nobody can guess. */
#include "check_zoo.h"

static mo_status infer(void* user, mo_context* c, const mo_infer_args* args) {
  mo_value secret;
  const mo_status status = c->host->graph->node_attr(c, args->node, zoo_text("secret"), &secret);
  if (status != MO_OK) return status;
  if (secret.u.i != 4711) return c->host->fail(c, MO_ERROR, 0, zoo_text("that is not the secret"));
  return zoo_infer(user, c, args);
}

static mo_status load(mo_context* c) {
  mo_operation_def d = good_operation();
  mo_attr_def secret;
  memset(&secret, 0, sizeof secret);
  secret.size = sizeof secret;
  secret.name = zoo_text("secret");
  secret.kind = MO_VALUE_INT;
  secret.required = 1;
  d.attrs = &secret;
  d.n_attrs = 1;
  d.infer = infer;
  return c->host->registry->operation(c, &d);
}

ZOO_PLUGIN("check-secret", load)
