/* Gives the model an output of another shape. */
#include "check_zoo.h"

static mo_status run(void* user, mo_context* c, mo_graph g) {
  mo_node copies[MOST_COPIES];
  uint64_t count = 0, i;
  mo_status status = find_copies(c, g, copies, &count);
  (void)user;
  for (i = 0; i < count && status == MO_OK; ++i) {
    static const int64_t dims[] = {17};
    mo_node results[8], made;
    mo_port out = {0, 0, MO_PORT_OUT}, in = {0, 0, MO_PORT_IN}, from;
    mo_tensor* value = NULL;
    mo_str op;
    uint64_t n = 0;
    status = c->host->graph->results(c, g, results, 8, &n);
    if (status != MO_OK || n == 0) break;
    in.node = results[0];
    status = c->host->graph->source(c, in, &from);
    if (status == MO_OK && from.node != 0) status = c->host->graph->op(c, from.node, &op);
    if (status != MO_OK || from.node == 0 || (op.size == 5 && memcmp(op.data, "Const", 5) == 0)) break;
    status = c->host->tensor->create(c, MO_F32, dims, 1, &value, NULL);
    if (status != MO_OK) break;
    status = c->host->graph->create_const(c, g, zoo_text("other"), value, &made);
    c->host->tensor->release(value);
    if (status != MO_OK) break;
    out.node = made;
    status = c->host->graph->connect(c, out, in);
  }
  return status;
}

static mo_status load(mo_context* c) { return register_pass(c, run, "", ""); }

ZOO_PLUGIN("rule-252", load)
