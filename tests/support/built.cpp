#include "built.hpp"

namespace mo::test {

const bool sanitized = MO_SANITIZED;
const char* const build_folder = MO_BINARY_DIR;
const char* const plugin_folder = MO_PLUGIN_DIR;
const char* const host_program = MO_BINARY_DIR "/bin/mo-host";
const char* const zoo_folder = MO_BINARY_DIR "/tests/zoo";
const char* const seeds_plugin = MO_BINARY_DIR "/tests/examples/seeds.mo.so";

std::string zoo(std::string_view name) { return std::string(zoo_folder).append("/").append(name) + ".mo.so"; }

std::string builtin(std::string_view name) {
  return std::string(plugin_folder).append("/").append(name) + ".mo.so";
}

}  // namespace mo::test
