// What the program can do: one row and one file per command.
#pragma once

#include "apps/mo-host/command_line/command_row.hpp"
#include "apps/session/arguments.hpp"

namespace mo::app {

class Program;

std::span<const CommandRow> commands();
// The command a line begins with; convert when it begins with an option. Failure (Exit::usage) when there is
// none.
const CommandRow& choose_command(const std::vector<std::string>& words);

void convert_command(Program&, const Arguments&);
void dump_command(Program&, const Arguments&);
void check_command(Program&, const Arguments&);
void explain_config_command(Program&, const Arguments&);
void explore_command(Program&, const Arguments&);
void run_command(Program&, const Arguments&);
void verify_command(Program&, const Arguments&);
void list_command(Program&, const Arguments&);
void plugin_command(Program&, const Arguments&);
void new_command(Program&, const Arguments&);
void help_command(Program&, const Arguments&);
void version_command(Program&, const Arguments&);

// The text of `help`: of one command, or of all when it is nullptr.
std::string help_text(const CommandRow*, const core::Registry&);

}  // namespace mo::app
