// Crashes while the library is opened, before it could say who it is.
#include <mo/sdk.hpp>

#include <csignal>

namespace {

struct Crash {
  Crash() { std::raise(SIGSEGV); }
} crash;

void register_all(mo::Registry&) {}

}  // namespace

MO_PLUGIN("org.example.crash_on_open", "1.0.0", "Example", "Apache-2.0", "crashes", "", register_all)
