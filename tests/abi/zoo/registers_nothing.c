#include "zoo.h"

static mo_status load(mo_context* c) {
  (void)c;
  return MO_OK;
}

ZOO_PLUGIN("registers-nothing", load)
