/* Has room for four inputs. */
#include "check_zoo.h"

#include <stdlib.h>

static mo_status extract(void* user, mo_context* c, mo_node node) {
  uint32_t inputs = 0, outputs = 0;
  const mo_status status = c->host->graph->port_counts(c, node, &inputs, &outputs);
  if (status != MO_OK) return status;
  if (inputs > 4) abort();
  return good_extract(user, c, node);
}

static mo_status load(mo_context* c) { return register_extractor(c, extract); }

ZOO_PLUGIN("rule-260", load)
