// Who registers what another plugin has registered, too.
#include <algorithm>

#include "core/host/check.hpp"
#include "core/host/session.hpp"

namespace mo::core {

namespace {

std::string name_of(const Plugin& p) {
  return text(p.built_in ? "built-in plugin " : "plugin ", p.id, " ", p.version,
              p.path.empty() ? "" : text(" (", p.path, ")"));
}

[[noreturn]] void clash(const std::string& what, const Plugin& first, const Plugin& second,
                        std::string_view advice) {
  if (&first == &second)
    fail(rule_name(Rule::claimed_twice), " ", what, " is registered twice by ", name_of(first),
         "; expected once");
  fail(rule_name(Rule::claimed_twice), " ", what, " is registered by ", name_of(first), " and by ",
       name_of(second), "; expected one of them: ", advice);
}

constexpr std::string_view take_one_out = "take one of the two files out of the folders that are searched";

bool overlap(const Extractor& a, const Extractor& b) {
  return (a.until == 0 || b.since <= a.until) && (b.until == 0 || a.since <= b.until);
}

std::string versions(const Extractor& e) {
  if (e.since == 0 && e.until == 0) return "of any version";
  return text("of versions ", e.since, " to ", e.until == 0 ? std::string("any") : text(e.until));
}

}  // namespace

void Registry::claim(const Operation& o) const {
  const Operation* other = operation(o.op, o.opset);
  if (other == nullptr) return;
  clash(text("operation ", o.opset, "::", o.op), *other->plugin, *o.plugin,
        other->plugin->built_in || o.plugin->built_in
            ? "what is built in cannot be redefined; choose an opset name of your own"
            : take_one_out);
}

void Registry::claim(const Extractor& e, Plugin& plugin) const {
  const auto same_op = extractor_index_.find(session_.space()->symbols.find(e.op));
  if (same_op == extractor_index_.end()) return;
  for (const Extractor* at : same_op->second) {
    const Extractor& other = *at;
    if (other.domain != e.domain || !overlap(other, e)) continue;
    if (other.framework.empty() != e.framework.empty() || !same_framework(other.framework, e.framework))
      continue;
    const std::string what =
        text("extractor of ", in_quotes(e.op), e.domain.empty() ? "" : text(", domain ", in_quotes(e.domain)),
             e.framework.empty() ? "" : text(", framework ", in_quotes(e.framework)));
    if (other.plugin->built_in == e.plugin->built_in || other.plugin == e.plugin)
      clash(text(what, ", ", versions(e), " and ", versions(other)), *other.plugin, *e.plugin, take_one_out);
    const Plugin& winner = e.plugin->built_in ? *other.plugin : *e.plugin;
    const Plugin& loser = e.plugin->built_in ? *e.plugin : *other.plugin;
    plugin.notes.push_back(text(what, ": ", name_of(winner), " comes before ", name_of(loser)));
  }
}

void Registry::claim(const Transformation& t) const {
  if (const Transformation* other = transformation(t.id))
    clash(text("transformation ", in_quotes(t.id)), *other->plugin, *t.plugin, take_one_out);
  if (t.group.empty()) return;
  for (const Transformation& other : transformations_)
    if (other.group == t.group && other.phase != t.phase)
      fail(rule_name(Rule::group_phase), " transformation ", in_quotes(t.id), ": phase is ", t.phase,
           "; expected ", other.phase, ", as ", in_quotes(other.id), " of ", name_of(*other.plugin),
           " has that phase and the same group ", in_quotes(t.group));
}

void Registry::claim(const FrontEnd& f) const {
  std::vector<std::string> names = f.aliases;
  names.push_back(f.name);
  for (const std::string& name : names)
    if (const FrontEnd* other = frontend(name))
      clash(text("front-end name ", in_quotes(name)), *other->plugin, *f.plugin, take_one_out);
}

void Registry::claim(const OptionDef& o) const {
  if (host_options_.contains(o.name))
    fail(rule_name(Rule::option_of_host), " option ", in_quotes(o.name),
         ": name is an option of the host itself; expected another one");
  if (const OptionDef* other = option(o.name))
    clash(text("option ", in_quotes(o.name)), *other->plugin, *o.plugin, take_one_out);
}

void Registry::claim(const Converter& c) const {
  if (const Converter* other = converter(c.type_name))
    clash(text("converter of ", in_quotes(c.type_name)), *other->plugin, *c.plugin, take_one_out);
}

void Registry::claim(const Interface& i) const {
  if (const Interface* other = find_interface(i.name, i.revision))
    clash(text("interface ", in_quotes(i.name), " revision ", i.revision), *other->plugin, *i.plugin,
          take_one_out);
}

}  // namespace mo::core
