// The commands and options for other programs that show them: man, and the completion of shells.
#pragma once

#include <string>
#include <string_view>

#include "core/registry/registry.hpp"

namespace mo::app {

std::string man_page(const core::Registry&);
std::string bash_completion(const core::Registry&);
std::string zsh_completion(const core::Registry&);
std::string fish_completion(const core::Registry&);

// What `help` says of the codes the program ends with: number and meaning, a line each.
std::string_view exit_code_lines();

}  // namespace mo::app
