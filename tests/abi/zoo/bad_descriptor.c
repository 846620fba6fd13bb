/* Nothing in it is as it should be. */
#include "zoo.h"

#ifdef MO_ZOO_SOUND
static mo_status load(mo_context* c) { return zoo_register_operation(c, "Op", "org.example.zoo"); }
#endif

const mo_plugin* mo_plugin_entry(void) {
  static const mo_plugin plugin = {.size = sizeof plugin,
                                   .abi_major = MO_ABI_MAJOR,
                                   .abi_minor = MO_TARGET_MINOR,
                                   .abi_lowest_minor = MO_LOWEST_MINOR,
                                   .abi_candidate = MO_ABI_CANDIDATE,
                                   .id = TEXT(ZOO_FAULT("Com.Acme", "com.acme")),
                                   .version = TEXT(ZOO_FAULT("one", "1")),
                                   .vendor = TEXT(ZOO_FAULT("caf\xe9", "caf\xc3\xa9")),
                                   .license = {ZOO_FAULT(NULL, "MIT"), ZOO_FAULT(5, 3)},
                                   .description = TEXT(ZOO_FAULT("two\nlines", "one line")),
                                   .support_url = TEXT(ZOO_FAULT("call us", "mailto:help@zoo.example")),
                                   .load = ZOO_FAULT(NULL, load)};
  return &plugin;
}
