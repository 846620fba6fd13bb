#include "zoo.h"

static mo_status load(mo_context* c) {
  (void)c;
  return MO_UNSUPPORTED;
}

ZOO_PLUGIN("fails-silently", load)
