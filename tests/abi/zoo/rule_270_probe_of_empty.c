/* Is more than certain of empty files. */
#include "check_zoo.h"

static mo_status probe(void* user, mo_context* c, const mo_probe_args* args, int32_t* score) {
  const mo_status status = good_probe(user, c, args, score);
  if (args->file_bytes == 0) *score = 300;
  return status;
}

static mo_status load(mo_context* c) {
  mo_frontend_def d = good_frontend();
  d.probe = probe;
  return c->host->registry->frontend(c, &d);
}

ZOO_PLUGIN("rule-270", load)
