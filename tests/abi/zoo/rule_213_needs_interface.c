/* Follows the table of an interface, whether it is there or not. */
#include "check_zoo.h"

struct numbers {
  int answer;
};
static const struct numbers mine = {42};

static mo_status load(mo_context* c) {
  const void* table = NULL;
  mo_status status = register_good(c);
  if (status == MO_OK)
    status = c->host->registry->add_interface(c, zoo_text("org.example.zoo.numbers"), 1, &mine);
  if (status != MO_OK) return status;
  status = c->host->get_interface(c, zoo_text("org.example.zoo.numbers"), 1, &table);
  if (status == MO_ERROR || status == MO_NO_MEMORY) return status;
  return ((const volatile struct numbers*)table)->answer == 42 ? MO_OK : MO_ERROR;
}

ZOO_PLUGIN("rule-213", load)
