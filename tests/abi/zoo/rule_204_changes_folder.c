/* Goes to another folder while it is loaded. */
#define _GNU_SOURCE
#include <unistd.h>

#include "check_zoo.h"

static mo_status load(mo_context* c) {
  if (chdir("/") != 0) return c->host->fail(c, MO_ERROR, 0, zoo_text("cannot change the folder"));
  return register_good(c);
}

ZOO_PLUGIN("rule-204", load)
