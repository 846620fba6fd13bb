#include "apps/mo-host/plugin/claims.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "apps/explore/source_files.hpp"
#include "apps/known_plugins/manifest.hpp"
#include "apps/mo-host/plugin/spelling.hpp"
#include "apps/survey/source_operators.hpp"
#include "core/support/nearest.hpp"

namespace mo::app {

namespace {

using Json = nlohmann::ordered_json;

std::string plugin_name(const core::Plugin& p) { return p.id + " " + p.version; }

// Among those that could be asked about one node, in which place this one is.
size_t place_of(const core::Registry& r, const core::Extractor& e) {
  const int32_t version = e.since != 0 ? e.since : e.until;  // 0: any
  const auto asked = r.extractors(e.framework, e.domain, e.op, version);
  return static_cast<size_t>(std::find(asked.begin(), asked.end(), &e) - asked.begin());
}

// The name itself with other capitals stands first: it is never what somebody meant to write.
std::vector<std::string> near_names(const core::Registry& r, const std::vector<SourceOperator>& converted,
                                    const std::string& wanted) {
  std::map<std::string, std::set<std::string>> known;  // and who knows it as what
  for (const SourceOperator& o : converted) {
    const std::string who =
        fmt::format("{} by {}", o.framework.empty() ? "any framework" : o.framework, o.item->plugin->id);
    known[o.name].insert(who);
    if (const size_t point = o.name.rfind('.'); point != std::string::npos)
      known[o.name.substr(point + 1)].insert(fmt::format("{} as {}", who, o.name));
  }
  for (const core::Operation* o : r.operations())
    known[o->op].insert(fmt::format("{}::{} by {}", o->opset, o->op, o->plugin->id));
  std::vector<std::string> names, out;
  for (const auto& [name, who] : known)
    if (name != wanted) names.push_back(name);
  for (const std::string& name : core::nearest(wanted, names)) {
    const bool only_case = core::edit_distance(name, wanted, 0) == 0;
    std::string who;
    for (const std::string& w : known[name]) who += (who.empty() ? "" : "; ") + w;
    out.push_back(fmt::format("{}{}: {}", name, only_case ? " (other capitals)" : "", who));
  }
  return out;
}

// What a file that was left out would have brought, as far as its manifest tells.
std::string would_have(const std::string& path, const std::string& operation) {
  try {
    const auto m = read_manifest(path);
    if (!m) return {};
    for (const auto& e : m->extractors)
      if (e.op == operation) return "; its manifest says that it converts " + operation;
    for (const auto& [opset, name] : m->operations)
      if (name == operation) return fmt::format("; its manifest says that it defines {}::{}", opset, name);
  } catch (const core::Failure&) {  // then it is the reason why the file was left out
  }
  return {};
}

}  // namespace

Claims claims_of(const core::Session& session, const core::LoadReport& report, const std::string& operation) {
  const core::Registry& r = session.registry();
  const Places places(r);
  Claims c;
  c.name = operation;
  for (const core::Extractor* e : r.extractors())
    if (e->op == operation)
      c.extractors.push_back({e->framework,
                              e->domain,
                              version_range(e->since, e->until),
                              {},
                              {},
                              plugin_name(*e->plugin),
                              e->plugin->path,
                              places.of(e),
                              place_of(r, *e)});
  std::stable_sort(c.extractors.begin(), c.extractors.end(), [](const Claim& a, const Claim& b) {
    return std::tie(a.framework, a.domain, a.place) < std::tie(b.framework, b.domain, b.place);
  });
  const std::vector<SourceOperator> converted = source_operators(r);
  for (const SourceOperator& o : converted)
    if (!o.transformation.empty() && is_called(o, operation)) {
      const core::Plugin& p = *o.item->plugin;
      c.transformations.push_back({o.framework,
                                   o.name.substr(0, o.name.size() - operation.size()),
                                   {},
                                   {},
                                   o.transformation,
                                   plugin_name(p),
                                   p.path,
                                   places.of(o.item)});
      std::string& domain = c.transformations.back().domain;
      if (domain.ends_with('.')) domain.pop_back();
    }
  for (const core::Operation* o : r.operations())
    if (o->op == operation)
      c.operations.push_back(
          {{}, {}, {}, o->opset, {}, plugin_name(*o->plugin), o->plugin->path, places.of(o)});
  c.near = near_names(r, converted, operation);
  for (const core::SkippedFile& s : report.skipped)
    if (s.refused || s.path.ends_with(".mo.so"))
      c.left_out.emplace_back(
          s.path, (s.refused ? "refused: " : "skipped: ") + s.reason + would_have(s.path, operation));
  return c;
}

bool is_unknown(const Claims& c) {
  return c.extractors.empty() && c.transformations.empty() && c.operations.empty();
}

std::string claims_text(const Claims& c) {
  std::string out;
  const auto list = [&](std::string_view head) { out += fmt::format("{}\n", head); };
  const auto framework = [](const Claim& e) {
    return fmt::format("  {}{}", e.framework.empty() ? "any framework" : e.framework,
                       e.domain.empty() ? "" : fmt::format(", domain '{}'", e.domain));
  };
  const auto in_place = [](const Claim& e) { return e.stands_in.empty() ? "" : ", in " + e.stands_in; };
  if (c.extractors.empty() && c.transformations.empty()) {
    list(fmt::format("no plugin converts '{}'", c.name));
  } else {
    list(fmt::format("who converts '{}'", c.name));
    for (const Claim& e : c.extractors)
      out += fmt::format("{}, {}: {} ({}){}{}\n", framework(e), e.versions, e.plugin, e.file, in_place(e),
                         e.place == 0 ? "" : ", asked when those before decline");
    for (const Claim& t : c.transformations)
      out += fmt::format("{}: {} of {} ({}){}\n", framework(t), t.id, t.plugin, t.file, in_place(t));
  }
  if (!c.operations.empty()) {
    list("who defines an operation of that name");
    for (const Claim& o : c.operations)
      out += fmt::format("  {}::{}: {} ({}){}\n", o.opset, c.name, o.plugin, o.file, in_place(o));
  }
  if (!c.near.empty() && is_unknown(c)) {
    list("names that come near");
    for (const std::string& n : c.near) out += "  " + n + "\n";
  }
  if (!c.left_out.empty()) {
    list("plugins that are left out");
    for (const auto& [file, why] : c.left_out) out += fmt::format("  {}: {}\n", file, why);
  }
  if (!c.trouble.empty()) {
    list(
        "a conversion does not begin, as the plugins of --extensions cannot be used; above they are left "
        "out");
    out += "  ";
    for (const char letter : c.trouble) out += letter == '\n' ? std::string("\n  ") : std::string(1, letter);
    out += "\n";
  }
  return out;
}

std::string claims_json(const Claims& c) {
  Json j;
  j["operation"] = c.name;
  for (const char* list : {"extractors", "transformations", "operations", "near", "left_out"})
    j[list] = Json::array();
  const auto add_place = [](Json& claim, const Claim& of) {
    if (!of.stands_in.empty()) claim["stands_in"] = of.stands_in;
  };
  for (const Claim& e : c.extractors) {
    j["extractors"].push_back({{"framework", e.framework},
                               {"domain", e.domain},
                               {"versions", e.versions},
                               {"plugin", e.plugin},
                               {"file", e.file},
                               {"place", e.place}});
    add_place(j["extractors"].back(), e);
  }
  for (const Claim& t : c.transformations) {
    j["transformations"].push_back({{"framework", t.framework},
                                    {"domain", t.domain},
                                    {"id", t.id},
                                    {"plugin", t.plugin},
                                    {"file", t.file}});
    add_place(j["transformations"].back(), t);
  }
  for (const Claim& o : c.operations) {
    j["operations"].push_back({{"opset", o.opset}, {"plugin", o.plugin}, {"file", o.file}});
    add_place(j["operations"].back(), o);
  }
  j["near"] = c.near;
  for (const auto& [file, why] : c.left_out) j["left_out"].push_back({{"file", file}, {"why", why}});
  j["trouble"] = c.trouble;
  return j.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace mo::app
