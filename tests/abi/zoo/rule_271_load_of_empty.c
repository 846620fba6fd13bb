/* Reads the first byte of files that have none. */
#include "check_zoo.h"

static mo_status load_file(void* user, mo_context* c, const mo_model_source* source, mo_graph graph,
                           void** model) {
  mo_file* file = NULL;
  const void* data = NULL;
  uint64_t bytes = 0;
  const mo_status status = c->host->file->open(c, source->path, &file);
  if (status != MO_OK) return status;
  c->host->file->data(file, &data, &bytes);
  (void)*(const volatile char*)data;
  c->host->file->release(file);
  return good_load(user, c, source, graph, model);
}

static mo_status load(mo_context* c) {
  mo_frontend_def d = good_frontend();
  d.load = load_file;
  return c->host->registry->frontend(c, &d);
}

ZOO_PLUGIN("rule-271", load)
