// What the program can do: one row and one file per command.
#pragma once

#include "apps/mo-host/arguments.hpp"

namespace mo::app {

class Run;

struct CommandRow {
  std::string_view name;
  std::string_view operands;  // "KIND", "[MODEL]"
  std::string_view summary;
  unsigned bit;          // for the table of options
  size_t most_operands;  // words that are no options
  bool loads_plugins;
  void (*run)(Run&, const Arguments&);
};

std::span<const CommandRow> commands();
// The command a line begins with; convert when it begins with an option. Failure (Exit::usage) when there is
// none.
const CommandRow& choose_command(const std::vector<std::string>& words);

void convert_command(Run&, const Arguments&);
void dump_command(Run&, const Arguments&);
void check_command(Run&, const Arguments&);
void explain_config_command(Run&, const Arguments&);
void explore_command(Run&, const Arguments&);
void run_command(Run&, const Arguments&);
void verify_command(Run&, const Arguments&);
void list_command(Run&, const Arguments&);
void plugin_command(Run&, const Arguments&);
void new_command(Run&, const Arguments&);
void help_command(Run&, const Arguments&);
void version_command(Run&, const Arguments&);

// The text of `help`: of one command, or of all when it is nullptr.
std::string help_text(const CommandRow*, const core::Registry&);

}  // namespace mo::app
