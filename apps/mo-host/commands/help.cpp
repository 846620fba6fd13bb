#include <fmt/format.h>

#include <algorithm>

#include "apps/mo-host/commands/commands.hpp"
#include "apps/mo-host/help/formats.hpp"
#include "apps/mo-host/help/topics.hpp"
#include "apps/mo-host/output/print.hpp"
#include "apps/mo-host/program/program.hpp"
#include "core/support/nearest.hpp"

namespace mo::app {

namespace {

constexpr size_t width = 100, help_column = 34;

std::string option_lines(const OptionRow& o) {
  std::string head = "  " + signature(o);
  std::string help(o.help);
  if (!o.fallback.empty()) help += fmt::format(" (default: {})", o.fallback);
  if (head.size() + 2 > help_column)
    head += "\n" + std::string(help_column, ' ');
  else
    head.resize(help_column, ' ');
  return head + wrapped(help, help_column, width) + "\n";
}

std::string options_text(unsigned command, const core::Registry& registry) {
  std::map<std::string, std::string> groups;  // "" sorts first: the program's own
  for (const OptionRow& o : options_of(command, registry))
    if (o.old == Old::no) groups[std::string(o.group)] += option_lines(o);
  std::string out;
  for (const auto& [name, lines] : groups)
    out += "\n" + (name.empty() ? "options" : "options of " + name) + "\n" + lines;
  return out;
}

// What most conversions need; the others are told by their names.
constexpr std::string_view common_options[] = {
    "input_model", "output_dir", "model_name", "framework", "input",      "input_shape", "output",  "batch",
    "extensions",  "target",     "cache",      "manifest",  "ir_version", "dry_run",     "verbose", "silent"};

std::string short_options_text(unsigned command, const core::Registry& registry) {
  std::string lines, others;
  for (const OptionRow& o : options_of(command, registry)) {
    if (o.old != Old::no) continue;
    if (std::ranges::find(common_options, o.name) != std::end(common_options))
      lines += option_lines(o);
    else
      others += fmt::format("{}--{}", others.empty() ? "" : " ", o.name);
  }
  return fmt::format("\noptions\n{}\nfurther options, which `mo-host help` explains\n  {}\n", lines,
                     wrapped(others, 2, width));
}

}  // namespace

std::string help_text(const CommandRow* command, const core::Registry& registry) {
  std::string out;
  if (command != nullptr) {
    out = fmt::format("usage: mo-host {}{}{} [options]\n\n{}\n", command->name,
                      command->operands.empty() ? "" : " ", command->operands, command->summary);
    return out + (command->bit == for_convert ? short_options_text : options_text)(command->bit, registry);
  }
  out = "usage: mo-host --input_model FILE [options]\n       mo-host COMMAND [options]\n\ncommands\n";
  for (const CommandRow& c : commands()) {
    std::string head = fmt::format("  {} {}", c.name, c.operands);
    head.resize(help_column, ' ');
    out += head + wrapped(c.summary, help_column, width) + "\n";
  }
  if (const auto topics = help_topics(); !topics.empty())
    out += fmt::format(
        "\npages of the manual, for `mo-host help PAGE`; `mo-host help index` says what is where\n  {}\n",
        wrapped(fmt::format("{}", fmt::join(topics, ", ")), 2, width));
  return out + options_text(for_convert, registry) + "\nexit codes\n" + std::string(exit_code_lines);
}

namespace {

bool is_command(const std::string& word) {
  return std::any_of(commands().begin(), commands().end(),
                     [&](const CommandRow& c) { return c.name == word; });
}

const CommandRow& choose_topic(const std::vector<std::string>& operands) {
  if (is_command(operands.front())) return choose_command(operands);
  std::vector<std::string> known = help_topics();
  const std::string pages = known.empty() ? "the pages of the manual are not installed: share/mo-host/docs "
                                            "beside the folder of the program has them"
                                          : fmt::format("pages: {}", fmt::join(known, ", "));
  std::string names;
  for (const CommandRow& c : commands()) {
    known.emplace_back(c.name);
    names += fmt::format("{}{}", names.empty() ? "" : ", ", c.name);
  }
  throw core::Failure(core::Exit::usage, "MO0108", "there is no command or page '" + operands.front() + "'")
      .with("hint", core::did_you_mean(operands.front(), known))
      .with("hint", "commands: " + names)
      .with("hint", pages);
}

}  // namespace

void help_command(Program& program, const Arguments& arguments) {
  // A command's own page first: some pages of the manual have the name of a command.
  const auto& operands = arguments.operands();
  if (!operands.empty() && !is_command(operands.front()))
    if (const std::string page = help_page(operands.front()); !page.empty()) return print(page);
  const CommandRow* command = operands.empty() ? nullptr : &choose_topic(operands);
  const core::Registry& registry = program.session().registry();
  const std::string format = arguments.text("format");
  if (format != "text" && command != nullptr)
    throw core::Failure(core::Exit::usage, "MO0118",
                        "--format=" + format + " is about all commands, not one");
  print(format == "man"    ? man_page(commands(), registry)
        : format == "bash" ? bash_completion(commands(), registry)
        : format == "zsh"  ? zsh_completion(commands(), registry)
        : format == "fish" ? fish_completion(commands(), registry)
                           : help_text(command, registry));
}

}  // namespace mo::app
