// Needs a function that nobody defines.
#include "zoo.h"

namespace vendor {
int forgotten(const char* name);
#ifdef MO_ZOO_SOUND
int forgotten(const char*) { return 0; }
#endif
}  // namespace vendor

static mo_status load(mo_context* c) {
  return vendor::forgotten("x") != 0 ? MO_ERROR : zoo_register_operation(c, "Op", "org.example.zoo");
}

ZOO_PLUGIN("missing-symbol", load)
