/* Ctrl-C does nothing any more once it has run. */
#define _GNU_SOURCE
#include <signal.h>

#include "check_zoo.h"

static mo_status run(void* user, mo_context* c, mo_graph g) {
  (void)user;
  (void)c;
  (void)g;
  (void)signal(SIGINT, SIG_IGN);
  return MO_OK;
}

static mo_status load(mo_context* c) { return register_pass(c, run, "", ""); }

ZOO_PLUGIN("rule-257", load)
