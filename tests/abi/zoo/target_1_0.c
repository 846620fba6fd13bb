/* Built with today's header for the first ABI. Not broken: it must load. */
#define MO_TARGET_MINOR 0
#include "zoo.h"

static mo_status load(mo_context* c) { return zoo_register_operation(c, "FromTheFirst", "org.example.zoo"); }

ZOO_PLUGIN("target-1-0", load)
