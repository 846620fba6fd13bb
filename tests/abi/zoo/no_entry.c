/* A name that only plugins have, and no entry. */
#ifdef MO_ZOO_SOUND
#include "zoo.h"

static mo_status load(mo_context* c) { return zoo_register_operation(c, "Op", "org.example.zoo"); }

ZOO_PLUGIN("no-entry", load)
#endif

int zoo_answer(void);
int zoo_answer(void) { return 42; }
