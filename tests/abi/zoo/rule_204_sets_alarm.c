/* Leaves a timer that is running. */
#define _GNU_SOURCE
#include <unistd.h>

#include "check_zoo.h"

static mo_status load(mo_context* c) {
  alarm(600);
  return register_good(c);
}

ZOO_PLUGIN("rule-204-alarm", load)
