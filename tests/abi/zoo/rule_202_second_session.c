/* Registers more when it is loaded again. */
#include "check_zoo.h"

static int loads;

static mo_status load(mo_context* c) {
  const mo_status status = register_good(c);
  if (status != MO_OK || loads++ == 0) return status;
  return zoo_register_operation(c, "More", "org.example.zoo");
}

ZOO_PLUGIN("rule-202", load)
