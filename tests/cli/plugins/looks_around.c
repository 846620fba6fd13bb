/* Tells, when it is loaded, which other plugins are mapped into its process. */
#include <stdio.h>

#include "../../abi/zoo/zoo.h"

static mo_status load(mo_context* c) {
  char line[4096];
  FILE* maps = fopen("/proc/self/maps", "r");
  const char* seen = "sees none";
  if (maps == NULL) return MO_ERROR;
  while (fgets(line, sizeof line, maps) != NULL)
    if (strstr(line, "toy.mo.so") != NULL) seen = "sees toy";
  fclose(maps);
  c->host->log(c, MO_LOG_WARNING, zoo_text(seen));
  /* Whoever has only operations is not opened before a model needs one. */
  mo_option_def option = {.size = sizeof option, .kind = MO_OPTION_FLAG};
  option.name = zoo_text("looks_around");
  option.help = zoo_text("nothing");
  const mo_status status = c->host->registry->option(c, &option);
  if (status != MO_OK) return status;
  return zoo_register_operation(c, "LooksAround", "org.example.zoo");
}

ZOO_PLUGIN("looks-around", load)
