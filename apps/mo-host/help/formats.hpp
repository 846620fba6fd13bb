// The commands and options for other programs that show them: man, and the completion of shells.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "apps/mo-host/command_line/command_row.hpp"
#include "core/registry/registry.hpp"

namespace mo::app {

std::string man_page(std::span<const CommandRow>, const core::Registry&);
std::string bash_completion(std::span<const CommandRow>, const core::Registry&);
std::string zsh_completion(std::span<const CommandRow>, const core::Registry&);
std::string fish_completion(std::span<const CommandRow>, const core::Registry&);

// What `help` says of the codes the program ends with: number and meaning, a line each.
constexpr std::string_view exit_code_lines = R"(  0   all went well
  1   the model cannot be converted as asked
  2   the command line is wrong
  3   a plugin is broken, missing or refused
  4   the result cannot be written
  5   check: the model cannot be converted
  70  a bug of mo-host
)";

}  // namespace mo::app
