// Where this build put what the tests load and run. Test code asks here and has no path of a build written
// into it, as a sanitized build links the test code of another one; only built.cpp is compiled for each.
#pragma once

#include <string>
#include <string_view>

namespace mo::test {

extern const bool sanitized;
// Without a slash at the end.
extern const char* const build_folder;
extern const char* const plugin_folder;
extern const char* const host_program;

// The file of a plugin of tests/abi/zoo, tests/abi/faults or tests/cli/plugins, by its name.
std::string zoo(std::string_view name);
extern const char* const zoo_folder;
// plugin_api/examples/seeds, built.
extern const char* const seeds_plugin;
// One of our own plugins.
std::string builtin(std::string_view name);

}  // namespace mo::test
