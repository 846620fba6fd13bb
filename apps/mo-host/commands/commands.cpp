#include "apps/mo-host/commands/commands.hpp"

#include <sys/stat.h>

#include "core/support/nearest.hpp"

namespace mo::app {

namespace {

constexpr CommandRow command_rows[] = {
    {"convert", "[MODEL]", "convert a model; what happens when no command is named", for_convert, 1, true,
     convert_command},
    {"dump", "[MODEL]", "show a model's graph as text, after loading or any later phase", for_dump, 1, true,
     dump_command},
    {"check", "[MODEL]",
     "show, without converting, who converts each operation of a model, its inputs and outputs, and what it "
     "needs",
     for_check, 1, true, check_command},
    {"explain-config", "[MODEL]",
     "show what a transformations configuration would be applied to, and why not", for_explain, 1, true,
     explain_config_command},
    {"explore", "[MODEL]",
     "write a page for the browser that shows what becomes of a model, step by step, and why", for_explore, 1,
     true, explore_command},
    {"run", "[MODEL]", "compute a model's outputs, of an IR or of a source model", for_run, 1, true,
     run_command},
    {"verify", "[SOURCE] [IR]",
     "run a model and its conversion on the same inputs and compare; without an IR, what it becomes now",
     for_verify, 2, true, verify_command},
    {"list", "KIND", "show plugins, operators of frameworks, ops, transformations, frontends or options",
     for_list, SIZE_MAX, true, list_command, "plugins operators ops transformations frontends options"},
    {"plugin", "WORD", "look into plugins: `mo-host plugin` shows the words", for_plugin, SIZE_MAX, false,
     plugin_command, "list inspect audit lock why check manifest note release"},
    {"new", "KIND NAME",
     "write the project of a plugin, or add an op, extractor, front, middle, back or configured "
     "transformation, or a frontend to one",
     for_new, 2, false, new_command, "plugin op extractor front middle back configured frontend"},
    {"help", "[COMMAND|PAGE]",
     "show commands and options, those of loaded plugins included, or a page of the manual", for_help, 1,
     true, help_command},
    {"version", "", "show the version of the program and of the plugin ABI", for_version, 0, false,
     version_command},
};

}  // namespace

std::span<const CommandRow> commands() { return command_rows; }

const CommandRow& choose_command(const std::vector<std::string>& words) {
  if (words.empty() || words.front().starts_with('-')) return command_rows[0];
  std::vector<std::string> known;
  for (const CommandRow& r : command_rows) {
    if (r.name == words.front()) return r;
    known.emplace_back(r.name);
  }
  // `mo-host net.model`, as ovc has it: what is there, or is written like a path, is a model.
  struct stat status {};
  if (stat(words.front().c_str(), &status) == 0 || words.front().find_first_of("./") != std::string::npos)
    return command_rows[0];
  core::Failure f(core::Exit::usage, "MO0108", "there is no command '" + words.front() + "'");
  f.with("hint", core::did_you_mean(words.front(), known));
  std::string list;
  for (const std::string& k : known) list += (list.empty() ? "" : ", ") + k;
  throw f.with("hint", "commands: " + list);
}

}  // namespace mo::app
