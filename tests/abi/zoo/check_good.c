/* Breaks no rule. */
#include "check_zoo.h"

static mo_status load(mo_context* c) { return register_good(c); }

ZOO_PLUGIN("check-good", load)
