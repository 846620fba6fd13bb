// Its shutdown uses an object that its library made when it was loaded.
#include <string>

#include "zoo.h"

namespace {

struct Farewell {
  std::string text = "goodbye from b, which was loaded later\n";
  ~Farewell() { text = "b is gone already\n"; }
} farewell;

}  // namespace

static mo_status load(mo_context* c) { return zoo_register_operation(c, "GoodbyeB", "org.example.zoo"); }

static void shutdown() { std::fputs(farewell.text.c_str(), stderr); }

const mo_plugin* mo_plugin_entry(void) {
  static mo_plugin plugin = ZOO_DESCRIPTOR("says-goodbye-b", load);
  plugin.shutdown = shutdown;
  return &plugin;
}
