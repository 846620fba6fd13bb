#include "core/registry/registration.hpp"

#include <algorithm>

#include "core/registry/contain.hpp"
#include "core/registry/refusal.hpp"

namespace mo::core {

void run_registration(Session& session, Plugin& plugin, std::string_view callback,
                      const std::function<mo_status(mo_context*)>& run) {
  Call call(session);
  call->plugin = &plugin;
  call->registering = &plugin;
  const mo_status status = contain(*call, callback, [&] { return run(call.get()); });
  std::string problems;
  for (const std::string& p : plugin.problems) problems += (problems.empty() ? "" : "\n") + p;
  if (!problems.empty()) throw refusal_from_text(problems, Rule::load_failed);
  if (status == MO_OK) return;
  if (call->error.empty())
    throw refusal(Rule::load_failed, text(callback, "() failed with status ", status,
                                          " and no text; expected a text given to mo_host.fail"));
  throw refusal_from_text(call->error, Rule::load_failed);
}

Failure told_of(Failure f, const Plugin& p) {
  if (!p.path.empty()) f.with("file", p.path);
  if (!p.id.empty())
    f.with("plugin", text(p.id, " ", p.version, p.vendor.empty() ? "" : text(" (", p.vendor, ")")));
  if (!p.rivals.empty()) {
    std::string choice;
    for (const std::string& id : p.rivals) choice += text(choice.empty() ? "" : " or ", "--prefer ", id);
    f.with("hint", text(choice, " decides whose is used"));
  }
  return with_advice(std::move(f), &p);
}

namespace {

bool share_a_name(const FrontEnd& a, const FrontEnd& b) {
  const auto has = [](const FrontEnd& f, const std::string& name) {
    return f.name == name || std::find(f.aliases.begin(), f.aliases.end(), name) != f.aliases.end();
  };
  return has(a, b.name) ||
         std::any_of(b.aliases.begin(), b.aliases.end(), [&](const auto& name) { return has(a, name); });
}

}  // namespace

bool Registry::has_closed(const Plugin& plugin) const {
  return std::any_of(closed_.begin(), closed_.end(), [&](const FrontEnd* f) { return f->plugin == &plugin; });
}

void Registry::open_contents_of(const Plugin& plugin) const {
  for (;;) {
    const auto it =
        std::find_if(closed_.begin(), closed_.end(), [&](const FrontEnd* f) { return f->plugin == &plugin; });
    if (it == closed_.end()) return;
    const FrontEnd& f = **it;
    closed_.erase(it);
    run_registration(session_, own(plugin), "contents", [&](mo_context* c) { return f.contents(f.self, c); });
  }
}

void Registry::open_or_refuse(const Plugin& plugin) const {
  try {
    open_contents_of(plugin);
  } catch (Failure& f) {
    session_.registry().remove_all_of(plugin);
    throw told_of(std::move(f), plugin);
  }
}

void Registry::open_contents(const FrontEnd& chosen) const {
  for (;;) {
    const auto it = std::find_if(closed_.begin(), closed_.end(),
                                 [&](const FrontEnd* f) { return share_a_name(*f, chosen); });
    if (it == closed_.end()) return;
    open_or_refuse(*(*it)->plugin);
  }
}

void Registry::open_contents() const {
  while (!closed_.empty()) open_or_refuse(*closed_.front()->plugin);
}

}  // namespace mo::core
