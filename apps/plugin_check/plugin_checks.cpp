// Rules about the plugin as a whole: 200 to 207, 209 to 213 and 244.
#include <algorithm>

#include "apps/frontends/choose_frontend.hpp"
#include "apps/plugin_check/setting.hpp"
#include "apps/plugin_check/tap.hpp"
#include "apps/plugin_search/discovery.hpp"
#include "apps/processes/captured_output.hpp"
#include "apps/processes/process_state.hpp"
#include "core/convert/convert.hpp"
#include "core/host/library.hpp"
#include "core/support/contains.hpp"
#include "core/support/nearest.hpp"

namespace mo::app::checks {

namespace {

void same_descriptor(Setting& s, const std::string&) {
  const core::Discovery found =
      discover(s.surroundings.file, {.any_owner = true, .allow_writable_folders = true});
  if (found.plugins.size() != 1) throw Skipped{"the file is not a plugin"};
  const core::PluginEntry entry = open_plugin(found.plugins.front());
  const mo_plugin* first = entry();
  const mo_plugin* second = entry();
  const mo_plugin* third = nullptr;
  on_thread([&] { third = entry(); });
  if (first != second || first != third)
    broken("mo_plugin_entry returned ",
           first == second ? "another descriptor on another thread" : "another descriptor",
           " when it was called again; expected the same static object each time");
}

// The first line in which two texts differ.
std::string first_difference(const std::string& expected, const std::string& got) {
  std::string line;
  const auto lines = [](const std::string& t) {
    std::vector<std::string> list;
    for (size_t at = 0; at < t.size();) {
      const size_t end = std::min(t.find('\n', at), t.size());
      list.push_back(t.substr(at, end - at));
      at = end + 1;
    }
    return list;
  };
  const auto a = lines(expected), b = lines(got);
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const std::string x = i < a.size() ? a[i] : "nothing", y = i < b.size() ? b[i] : "nothing";
    if (x != y) return text("'", y, "'; expected '", x, "'");
  }
  return {};
}

// With what the same process sees when nothing is special: that processes differ is rule 207.
void compare_registrations(Setting& s, const World& world, const std::string& where) {
  const std::string got = registrations(world.session(), world.plugin());
  if (got == s.expected) return;
  World plain(s.surroundings);
  plain.load();
  const std::string here = registrations(plain.session(), plain.plugin());
  if (got != here) broken(where, " it registers ", first_difference(here, got));
}

void load_or_find(World& world, const std::string& where) {
  try {
    world.load();
  } catch (const core::Failure& f) {
    broken(where, " it is refused: ", f.render());
  }
}

void is_loaded(Setting& s, const std::string&) { load_or_find(s.world, ""); }

void each_session(Setting& s, const std::string&) {
  s.world.load();
  const std::string first = registrations(s.session(), s.world.plugin());
  for (const char* which : {"in a second session", "in a session after others have ended"}) {
    World again(s.surroundings);
    load_or_find(again, which);
    if (const std::string got = registrations(again.session(), again.plugin()); got != first)
      broken(which, " it registers ", first_difference(first, got));
  }
}

void another_thread(Setting& s, const std::string&) {
  on_thread([&] { load_or_find(s.world, "on another thread"); });
  compare_registrations(s, s.world, "on another thread");
}

void leaves_process(Setting& s, const std::string&) {
  const ProcessState before = ProcessState::now(ProcessState::Parts::all);
  s.world.load();
  const auto changes = before.changes(ProcessState::now(ProcessState::Parts::all));
  if (!changes.empty()) broken("loading changed ", listed(changes), " of the process");
}

void silent(Setting& s, const std::string&) {
  CapturedOutput output;
  s.world.load();
  if (const size_t n = output.take().size(); n != 0)
    broken("while it was loaded it wrote ", n, " bytes to standard output");
}

// The process that runs the case ends as a program does; see run_case.
void ends_well(Setting& s, const std::string&) { s.world.load(); }

void each_process(Setting& s, const std::string&) {
  s.world.load();
  if (const std::string got = registrations(s.session(), s.world.plugin()); got != s.expected)
    broken("in another process it registers ", first_difference(s.expected, got));
}

// What is nearly a name that somebody has, and is none itself.
std::string misspelt(const std::string& name, const std::vector<std::string>& known) {
  return core::contains(known, name) ? std::string() : core::did_you_mean(name, known);
}

// "com.acme" of "com.acme::Type", of "::com.acme.Type" and of "com.acme.Type"; "" of "Type" and "*::Type".
std::string domain_in(const std::string& op) {
  const size_t colons = op.rfind("::"), dot = op.rfind('.');
  if (colons != std::string::npos && colons != 0)
    return op.substr(0, colons) == "*" ? "" : op.substr(0, colons);
  const size_t begin = colons == std::string::npos ? 0 : 2;
  return dot == std::string::npos || dot <= begin ? std::string() : op.substr(begin, dot - begin);
}

void known_names(Setting& s, const std::string&) {
  s.world.load();
  const core::Registry& registry = s.registry();
  const std::vector<std::string> frameworks = known_frameworks(registry);
  std::vector<std::string> domains;
  for (const core::Operation* o : registry.operations()) domains.push_back(o->opset);
  for (const core::Extractor* e : registry.extractors()) domains.push_back(e->domain);
  if (frameworks.empty()) throw Skipped{"no front-end is loaded"};
  for (const core::Transformation* t : registry.transformations()) {
    if (t->plugin != &s.world.plugin()) continue;
    for (const std::string& name : t->frameworks)
      if (!core::contains(frameworks, name)) {
        const std::string hint = core::did_you_mean(name, frameworks);
        broken(t->id, " is for models of '", name, "', which no front-end reads",
               hint.empty() ? "" : "; " + hint);
      }
    std::vector<std::string> ops = t->ops;
    for (const core::PatternNodeDef& n : t->nodes) ops.insert(ops.end(), n.ops.begin(), n.ops.end());
    for (const std::string& op : ops)
      if (const std::string domain = domain_in(op), hint = misspelt(domain, domains);
          !domain.empty() && !hint.empty())
        broken(t->id, " looks for '", op, "', and nobody registers anything of '", domain, "'; ", hint);
  }
}

void larger_host(Setting& s, const std::string&) {
  const TapScope tapped(s.session(), true);
  const std::string where =
      text("on a host with ABI ", MO_ABI_MAJOR, ".", MO_ABI_MINOR + 7, " and larger tables");
  load_or_find(s.world, where);
  compare_registrations(s, s.world, where);
}

void nothing_found(Setting& s, const std::string&) {
  const TapScope tapped(s.session());
  tap().finds_nothing = true;
  try {
    s.world.load();
  } catch (const core::Failure& f) {
    if (f.message().find("MOX-026") != std::string::npos || f.message().find("no text") != std::string::npos)
      broken("without interfaces and options: ", f.message());
  }
}

void failing_load(Setting& s, const std::string&) {
  constexpr size_t most = 300;
  for (size_t n = 1; n <= most; ++n) {
    const TapScope tapped(s.session());
    tap().fail_at = n;
    tap().status = n % 2 != 0 ? MO_ERROR : MO_NO_MEMORY;
    bool loaded = false;
    try {
      s.world.load();
      loaded = true;
    } catch (const core::Failure& f) {
      if (f.message().find("MOX-026") != std::string::npos ||
          f.message().find("and no text") != std::string::npos)
        broken("when ", tap().failed, " fails: ", f.message());
    }
    if (!loaded) continue;
    if (tap().failed.empty()) return;
    compare_registrations(
        s, s.world, text("after ", tap().failed, " (host call no. ", n, ") had failed load returned MO_OK:"));
    return;  // it is loaded now, and cannot be loaded again
  }
}

constexpr CheckRow plugin_rows[] = {
    {200, same_descriptor}, {201, is_loaded},   {202, each_session},  {203, another_thread},
    {204, leaves_process},  {205, silent},      {206, ends_well},     {207, each_process},
    {209, known_names},     {210, larger_host}, {213, nothing_found}, {244, failing_load},
};

}  // namespace

std::span<const CheckRow> plugin_checks() { return plugin_rows; }

}  // namespace mo::app::checks
