#include <fmt/format.h>

#include <map>

#include "apps/mo-host/help/formats.hpp"
#include "apps/session/options.hpp"

namespace mo::app {

namespace {

// Text as roff takes it literally: a '-' is one that can be copied, and no line begins a request.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
      out += std::string("\\&") + c;
    else
      out += c;
  }
  return out;
}

std::string item(std::string_view head, std::string_view text) {
  return fmt::format(".TP\n.B {}\n{}\n", roff(head), roff(text));
}

std::string commands_of(std::span<const CommandRow> commands, unsigned bits) {
  std::string out;
  for (const CommandRow& c : commands)
    if ((bits & c.bit) != 0) out += (out.empty() ? "" : ", ") + std::string(c.name);
  return out;
}

std::string option_item(std::span<const CommandRow> commands, const OptionRow& o) {
  std::string text(o.help);
  if (!o.fallback.empty()) text += fmt::format(" (default: {})", o.fallback);
  if (o.registered == nullptr && o.commands != for_all)
    text += fmt::format(". Of {}", commands_of(commands, o.commands));
  return item(signature(o), text);
}

}  // namespace

std::string man_page(std::span<const CommandRow> commands, const core::Registry& registry) {
  std::string out = fmt::format(".TH MO\\-HOST 1 \"\" \"mo\\-host {}\" \"User commands\"\n", MO_HOST_VERSION);
  out += ".SH NAME\nmo\\-host \\- converts trained networks to the intermediate representation of OpenVINO\n";
  out +=
      ".SH SYNOPSIS\n.B mo\\-host\n\\-\\-input_model FILE [options]\n.br\n.B mo\\-host\nCOMMAND [options]\n";
  out +=
      ".SH DESCRIPTION\nThe program itself knows no framework, no operation and no transformation: all of "
      "that "
      "comes from plugins. A word that is not a command, option or value is an error.\n.SH COMMANDS\n";
  for (const CommandRow& c : commands) {
    const std::string head = std::string(c.name) + (c.operands.empty() ? "" : " ") + std::string(c.operands);
    out += item(head, c.summary);
  }
  out += ".SH OPTIONS\n";
  for (const OptionRow& o : host_options()) out += option_item(commands, o);
  std::map<std::string, std::string> groups;
  for (const OptionRow& o : options_of(for_convert, registry))
    if (o.registered != nullptr) groups[std::string(o.group)] += option_item(commands, o);
  for (const auto& [name, items] : groups) out += fmt::format(".SS Options of {}\n", roff(name)) + items;
  out += ".SH EXIT STATUS\n";
  const std::string_view codes = exit_code_lines;
  for (size_t at = 0; at < codes.size();) {
    const size_t end = std::min(codes.find('\n', at), codes.size());
    const std::string_view line = codes.substr(at, end - at);
    const size_t number = line.find_first_not_of(' '), behind = line.find(' ', number);
    out += item(line.substr(number, behind - number), line.substr(line.find_first_not_of(' ', behind)));
    at = end + 1;
  }
  out += ".SH ENVIRONMENT\n";
  out += item("MO_EXTENSIONS_PATH", "folders with plugins, separated by colons");
  out += item("MO_CONFIGURATIONS_PATH",
              "folders with FRAMEWORK/NAME.json for --transformations_config NAME, separated by colons");
  out += item("MO_ENABLED_TRANSFORMS, MO_DISABLED_TRANSFORMS", "ids of transformations, separated by commas");
  out += ".SH FILES\n";
  out += item("~/.local/share/mo-host/extensions", "plugins of a user");
  out += item("../lib/mo-host/plugins", "seen from the program: the plugins it comes with");
  out += item("../lib/mo-host/extensions", "seen from the program: further plugins");
  return out;
}

}  // namespace mo::app
