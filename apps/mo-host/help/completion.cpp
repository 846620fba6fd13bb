// Completion for shells, from the table of options: what is offered behind which command.
#include <fmt/format.h>

#include "apps/mo-host/help/formats.hpp"
#include "apps/mo-host/help/topics.hpp"
#include "apps/session/options.hpp"
#include "core/support/releases.hpp"

namespace mo::app {

namespace {

std::vector<OptionRow> offered(const CommandRow& c, const core::Registry& registry) {
  std::vector<OptionRow> list;
  for (const OptionRow& o : options_of(c.bit, registry))
    if (o.old == Old::no) list.push_back(o);
  return list;
}

// Ids of transformations are asked for when they are wanted.
constexpr size_t longest_list = 4000;

bool takes_files(const OptionRow& o) { return o.takes == Takes::path || o.takes == Takes::paths; }

// The values that an option can have, with blanks between; "" where they cannot be told.
std::string choices(const OptionRow& o, const core::Registry& registry) {
  std::string words;
  const auto add = [&](std::string_view word) { words.append(words.empty() ? "" : " ").append(word); };
  if (o.takes == Takes::choice) {
    words = o.shown;
    std::replace(words.begin(), words.end(), '|', ' ');
  } else if (o.name == "target") {
    for (const core::Release& r : core::known_releases) add(r.name);
  } else if (o.name == "framework") {
    for (const core::FrontEnd* f : registry.frontends()) add(f->name);
  } else if (o.name == "explain" || o.name == "dump_after") {
    for (const core::Transformation* t : registry.transformations()) add(t->id);
  }
  return words;
}

// The words behind a command that are no files.
std::string operands(const CommandRow& c, std::span<const CommandRow> commands) {
  std::string words(c.words);
  if (c.bit != for_help) return words;
  for (const CommandRow& other : commands) words.append(words.empty() ? "" : " ").append(other.name);
  for (const std::string& page : help_topics()) words.append(" ").append(page);
  return words;
}

// Between single quotes of a shell.
std::string quoted(std::string_view text, std::string_view quote = "'\\''") {
  std::string out;
  for (const char c : text) out += c == '\'' ? std::string(quote) : std::string(1, c);
  return out;
}

std::string names(const std::vector<OptionRow>& options) {
  std::string out;
  for (const OptionRow& o : options) {
    out += (out.empty() ? "--" : " --") + std::string(o.name);
    for (const char letter : o.letters) out += std::string(" -") + letter;
  }
  return out;
}

std::string command_names(std::span<const CommandRow> commands) {
  std::string out;
  for (const CommandRow& c : commands) out += (out.empty() ? "" : " ") + std::string(c.name);
  return out;
}

}  // namespace

std::string bash_completion(std::span<const CommandRow> commands, const core::Registry& registry) {
  std::string values, by_command, behind, alternatives = command_names(commands);
  std::replace(alternatives.begin(), alternatives.end(), ' ', '|');
  for (const CommandRow& c : commands) {
    const auto options = offered(c, registry);
    by_command += fmt::format("      {}) words='{}' ;;\n", c.name, names(options));
    if (const std::string words = operands(c, commands); !words.empty())
      behind += fmt::format("      {}) words='{}' ;;\n", c.name, words);
    for (const OptionRow& o : options) {
      const std::string words = choices(o, registry);
      if (!words.empty() && words.size() > longest_list)
        values += fmt::format(
            "    {}:--{}) words=$(\"${{COMP_WORDS[0]}}\" list transformations 2>/dev/null | cut -d' ' -f1) "
            ";;\n",
            c.name, o.name);
      else if (!words.empty())
        values += fmt::format("    {}:--{}) words='{}' ;;\n", c.name, o.name, words);
      else if (o.takes != Takes::nothing)
        values += fmt::format("    {}:--{}) files={} words= ;;\n", c.name, o.name, takes_files(o) ? 1 : 0);
    }
  }
  return fmt::format(R"(# Completion of mo-host for bash; made by `mo-host help --format=bash`.
_mo_host() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}} command=convert words=- files=1
  if [[ $cur == = ]]; then cur=; fi
  if [[ $prev == = ]]; then prev=${{COMP_WORDS[COMP_CWORD - 2]}}; fi
  case ${{COMP_WORDS[1]}} in {0}) ((COMP_CWORD > 1)) && command=${{COMP_WORDS[1]}} ;; esac
  case $command:$prev in
{1}  esac
  if [[ $words == - ]]; then
    words=
    if [[ $cur == -* ]]; then
      files=0
      case $command in
{2}      esac
    elif ((COMP_CWORD == 1)); then
      words='{3}'
    elif ((COMP_CWORD == 2)); then
      case $command in
{4}      esac
      if [[ -n $words ]]; then files=0; fi
    fi
  elif [[ -n $words ]]; then
    files=0
  fi
  # Names may have blanks in them, so lines are what is split.
  local IFS=$'\n'
  COMPREPLY=($(compgen -W "${{words// /$'\n'}}" -- "$cur"))
  ((files)) && COMPREPLY+=($(compgen -f -- "$cur"))
  return 0
}}
complete -o filenames -F _mo_host mo-host
)",
                     alternatives, values, by_command, command_names(commands), behind);
}

std::string zsh_completion(std::span<const CommandRow> commands, const core::Registry& registry) {
  const auto inside = [](std::string_view text) {  // of '…[…]…'
    std::string out;
    for (const char c : quoted(text))
      out += c == '[' || c == ']' || c == ':' ? std::string("\\") + c : std::string(1, c);
    return out;
  };
  std::string described, cases;
  for (const CommandRow& c : commands) {
    described += fmt::format("    '{}:{}'\n", c.name, quoted(c.summary));
    cases += fmt::format("    {})\n      _arguments -s \\\n", c.name);
    for (const OptionRow& o : offered(c, registry)) {
      std::string action;
      const std::string words = choices(o, registry);
      if (words.size() > longest_list)
        action = ":value:{compadd -- $(mo-host list transformations 2>/dev/null | cut -d\" \" -f1)}";
      else if (!words.empty())
        action = fmt::format(":value:({})", words);
      else if (takes_files(o))
        action = ":file:_files";
      else if (o.takes != Takes::nothing)
        action = ":value: ";
      cases += fmt::format("        '--{}{}[{}]{}' \\\n", o.name, action.empty() ? "" : "=", inside(o.help),
                           action);
    }
    const std::string words = operands(c, commands);
    cases += words.empty() ? "" : fmt::format("        '1:word:({})' \\\n", words);
    cases += "        '*:file:_files'\n      ;;\n";
  }
  return fmt::format(R"(#compdef mo-host
# Completion of mo-host for zsh; made by `mo-host help --format=zsh`.
_mo_host() {{
  local -a commands=(
{0}  )
  local command=convert
  if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then
    _describe command commands
    _files
    return
  fi
  if ((${{commands[(I)$words[2]:*]}})); then
    command=$words[2]
    shift words
    ((CURRENT--))
  fi
  case $command in
{1}  esac
}}
_mo_host "$@"
)",
                     described, cases);
}

std::string fish_completion(std::span<const CommandRow> commands, const core::Registry& registry) {
  std::string out = "# Completion of mo-host for fish; made by `mo-host help --format=fish`.\n";
  const auto escaped = [](std::string_view text) { return quoted(text, "\\'"); };
  for (const CommandRow& c : commands)
    out += fmt::format("complete -c mo-host -n __fish_use_subcommand -a {} -d '{}'\n", c.name,
                       escaped(c.summary));
  for (const CommandRow& c : commands) {
    std::string where = fmt::format("__fish_seen_subcommand_from {}", c.name);
    // The command that is meant when none is named.
    if (c.bit == for_convert) where += "; or __fish_use_subcommand";
    if (const std::string words = operands(c, commands); !words.empty())
      out += fmt::format("complete -c mo-host -n '{}' -a '{}'\n", where, words);
    for (const OptionRow& o : offered(c, registry)) {
      out += fmt::format("complete -c mo-host -n '{}' -l {}", where, o.name);
      for (const char letter : o.letters) out += std::string(" -s ") + letter;
      const std::string words = choices(o, registry);
      if (words.size() > longest_list)
        out += " -x -a '(mo-host list transformations 2>/dev/null | string match -r \"^\\S+\")'";
      else if (!words.empty())
        out += fmt::format(" -x -a '{}'", words);
      else if (takes_files(o))
        out += " -r -F";
      else if (o.takes != Takes::nothing)
        out += " -x";
      out += fmt::format(" -d '{}'\n", escaped(o.help));
    }
  }
  return out;
}

}  // namespace mo::app
