/* Registers more on a thread that is not the first. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

#include "check_zoo.h"

static mo_status load(mo_context* c) {
  const mo_status status = register_good(c);
  if (status != MO_OK || syscall(SYS_gettid) == getpid()) return status;
  return zoo_register_operation(c, "More", "org.example.zoo");
}

ZOO_PLUGIN("rule-203", load)
