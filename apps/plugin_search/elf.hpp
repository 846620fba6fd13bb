// A look into a shared library without executing any of it. Nothing in the file is trusted: what is damaged
// or hostile gives a reason, and costs no more than a file of its size may.
#pragma once

#include <string>
#include <string_view>

namespace mo::app {

struct ElfLook {
  bool is_library = false;  // for this machine, and whole enough to be looked into
  bool has_function = false;
  std::string problem;  // why it is no library: "is empty", "is for aarch64, …"
};

// Does the dynamic symbol table of the file define a function of this name?
ElfLook look_for_function(const std::string& path, std::string_view function);

}  // namespace mo::app
