/* What the sources of the plugin share. */
#ifndef @name@_PLUGIN_H
#define @name@_PLUGIN_H

#include <mo/plugin.h>
#include <string.h>

/* Strings cross the boundary with their length. */
static inline mo_str text(const char* s) {
  mo_str str;
  str.data = s;
  str.size = strlen(s);
  return str;
}

#endif
