/* Says hello on standard output. */
#include "check_zoo.h"

static mo_status load(mo_context* c) {
  puts("hello from the zoo");
  return register_good(c);
}

ZOO_PLUGIN("rule-205", load)
