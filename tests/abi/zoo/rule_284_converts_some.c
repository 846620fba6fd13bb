/* Does not survive bytes of some length. */
#include "check_zoo.h"

#include <stdlib.h>

static mo_status convert(void* user, mo_context* c, const void* bytes, uint64_t count) {
  mo_value v;
  (void)user;
  (void)bytes;
  if (count > 100 && count < 200) abort();
  memset(&v, 0, sizeof v);
  v.kind = MO_VALUE_INT;
  v.u.i = (int64_t)count;
  return c->host->return_value(c, &v);
}

static mo_status load(mo_context* c) {
  mo_converter_def d;
  memset(&d, 0, sizeof d);
  d.size = sizeof d;
  d.type_name = zoo_text("zoo.bytes");
  d.convert = convert;
  return c->host->registry->converter(c, &d);
}

ZOO_PLUGIN("rule-284", load)
