/* Nothing in it is as it should be. */
#include "zoo.h"

const mo_plugin* mo_plugin_entry(void) {
  static const mo_plugin plugin = {.size = sizeof plugin,
                                   .abi_major = MO_ABI_MAJOR,
                                   .abi_minor = MO_TARGET_MINOR,
                                   .abi_lowest_minor = MO_LOWEST_MINOR,
                                   .reserved = 3,
                                   .id = TEXT("Com.Acme"),
                                   .version = TEXT("one"),
                                   .vendor = TEXT("caf\xe9"),
                                   .license = {NULL, 5},
                                   .description = TEXT("two\nlines"),
                                   .support_url = TEXT("call us")};
  return &plugin;
}
