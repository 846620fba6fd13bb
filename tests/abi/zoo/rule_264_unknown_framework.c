/* Extracts for a framework that no front-end reads. */
#include "check_zoo.h"

static mo_status load(mo_context* c) {
  const mo_frontend_def f = good_frontend();
  mo_extractor_def d;
  mo_status status = register_good(c);
  if (status == MO_OK) status = c->host->registry->frontend(c, &f);
  if (status != MO_OK) return status;
  memset(&d, 0, sizeof d);
  d.size = sizeof d;
  d.framework = zoo_text("zooo");
  d.op = zoo_text("Copy");
  d.extract = good_extract;
  return c->host->registry->extractor(c, &d);
}

ZOO_PLUGIN("rule-264", load)
