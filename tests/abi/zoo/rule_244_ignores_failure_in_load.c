/* Does not look whether its second operation was taken. */
#include "check_zoo.h"

static mo_status load(mo_context* c) {
  const mo_status status = register_good(c);
  if (status == MO_OK) (void)zoo_register_operation(c, "Second", "org.example.zoo");
  return status;
}

ZOO_PLUGIN("rule-244", load)
