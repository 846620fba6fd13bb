/* The least a plugin can be: an option of the command line that nobody asks for. */
#include <mo/plugin.h>

#define TEXT(literal) \
  { literal, sizeof(literal) - 1 }

static mo_status load(mo_context* context) {
  static const mo_option_def option = {sizeof(mo_option_def),
                                       TEXT("minimal_flag"),
                                       TEXT("does nothing"),
                                       TEXT(""),
                                       TEXT(""),
                                       MO_OPTION_FLAG,
                                       0,
                                       NULL,
                                       0};
  return context->host->registry->option(context, &option);
}

static const mo_plugin plugin = {sizeof(mo_plugin),
                                 MO_ABI_MAJOR,
                                 MO_TARGET_MINOR,
                                 MO_TARGET_MINOR,
                                 MO_ABI_CANDIDATE,
                                 TEXT("org.example.minimal"),
                                 TEXT(MO_PLUGIN_VERSION),
                                 TEXT("a stranger"),
                                 TEXT("Apache-2.0"),
                                 TEXT("registers an option and nothing else"),
                                 TEXT(""),
                                 load,
                                 NULL};

const mo_plugin* mo_plugin_entry(void) { return &plugin; }
