/* Reads eight bytes, however many there are. */
#include "check_zoo.h"

static mo_status convert(void* user, mo_context* c, const void* bytes, uint64_t count) {
  mo_value v;
  (void)user;
  (void)((const volatile char*)bytes)[7];
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

ZOO_PLUGIN("rule-272", load)
