/* Registers an operation, and then finds out that it cannot work. */
#include <stdlib.h>

#include "zoo.h"

/* Says that it was called: <file> of ZOO_RELEASED gets a letter more. */
static void release(void* user) {
  const char* path = getenv("ZOO_RELEASED");
  FILE* file = path == NULL ? NULL : fopen(path, "a");
  (void)user;
  if (file == NULL) return;
  fputc('r', file);
  fclose(file);
}

static mo_status load(mo_context* c) {
  mo_operation_def d = zoo_operation("HalfWay", "org.example.zoo");
  mo_status status;
  d.release = release;
  status = c->host->registry->operation(c, &d);
  if (ZOO_FAULT(status != MO_OK, 1)) return status;
  return c->host->fail(c, MO_ERROR, 0, zoo_text("the licence has expired"));
}

ZOO_PLUGIN("fails-half-way", load)
