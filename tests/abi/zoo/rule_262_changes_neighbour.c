/* Gives another name to what it reads. */
#include "check_zoo.h"

static mo_status extract(void* user, mo_context* c, mo_node node) {
  mo_port in = {0, 0, MO_PORT_IN}, from;
  uint32_t inputs = 0, outputs = 0;
  mo_status status = c->host->graph->port_counts(c, node, &inputs, &outputs);
  if (status != MO_OK) return status;
  in.node = node;
  if (inputs != 0) {
    status = c->host->graph->source(c, in, &from);
    if (status == MO_OK && from.node != 0) status = c->host->graph->rename(c, from.node, zoo_text("mine"));
    if (status != MO_OK) return status;
  }
  return good_extract(user, c, node);
}

static mo_status load(mo_context* c) { return register_extractor(c, extract); }

ZOO_PLUGIN("rule-262", load)
