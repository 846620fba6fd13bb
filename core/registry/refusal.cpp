#include "core/registry/refusal.hpp"

#include <charconv>
#include <mo/text.hpp>

namespace mo::core {

namespace {

std::string_view advice(Rule rule) {
  switch (rule) {
    case Rule::no_such_path:
      return "check the path";
    case Rule::unsafe_folder:
      return "chmod go-w what is named above, or say --allow_writable_folders";
    case Rule::entry_missing:
    case Rule::not_a_library:
      return "rebuild the plugin with mo_add_plugin(), or copy the file again; it may be damaged";
    case Rule::symbol_missing:
      return "link the plugin with the library that defines the symbol; mo_add_plugin() finds this at build "
             "time";
    case Rule::library_missing:
      return "install the library, or use a build of the plugin for this system";
    case Rule::nothing_registered:
      return "give the folder that directly has the plugins, or a plugin's file";
    case Rule::other_major:
    case Rule::needs_newer_host:
      return "use a build of the plugin for the host's ABI, or the mo-host that the plugin was built for";
    case Rule::loaded_twice:
      return "take one of the two files out of the folders that are searched";
    case Rule::claimed_twice:
      return "keep one of the two, or load them in separate runs";
    case Rule::probe_not_started:
      return "the system's limits on processes and open files may be reached; see `ulimit -a`";
    case Rule::probe_crashed:
    case Rule::probe_exited:
      return "report this to whoever the plugin is from";
    case Rule::probe_hangs:
      return "report this to whoever the plugin is from; --probe_timeout gives it more time";
    case Rule::load_failed:
      return "see the plugin's own message; its vendor knows more";
    default:
      return "the plugin has to be corrected; packaging/docs/abi_rules.md explains the rule";
  }
}

}  // namespace

Failure refusal(Rule rule, std::string message) {
  return {Exit::plugin, rule_name(rule), std::move(message)};
}

Failure refusal_from_text(std::string_view message, Rule otherwise) {
  // Not every text of a plugin is ours: only what looks exactly like a rule is taken for one.
  int number = 0;
  if (message.size() > 8 && message.starts_with("MOX-") && message[7] == ' ') {
    const auto [end, error] = std::from_chars(message.data() + 4, message.data() + 7, number);
    if (error == std::errc() && end == message.data() + 7)
      return refusal(static_cast<Rule>(number), std::string(message.substr(8)));
  }
  return refusal(otherwise, std::string(message));
}

Failure with_advice(Failure f, const Plugin* plugin) {
  int number = 0;
  const std::string& code = f.code();
  if (code.starts_with("MOX-")) std::from_chars(code.data() + 4, code.data() + code.size(), number);
  f.with("hint", std::string(advice(static_cast<Rule>(number))));
  if (plugin != nullptr) f.with("support", plugin->support_url);
  return f;
}

std::string in_one_line(const Failure& f) {
  std::string line = text(f.code(), " ", f.message());
  for (char& c : line)
    if (c == '\n') c = ' ';
  return line;
}

}  // namespace mo::core
