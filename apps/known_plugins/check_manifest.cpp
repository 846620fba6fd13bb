// A manifest is of the file it lies beside, and says what that file does.
#include <algorithm>

#include "apps/known_plugins/digest.hpp"
#include "apps/known_plugins/manifest.hpp"
#include "core/registry/refusal.hpp"
#include "core/support/contains.hpp"

namespace mo::app {

namespace {

constexpr std::string_view make_anew =
    "make it anew: mo-host plugin manifest FILE --output_file MANIFEST; or remove the manifest";

core::Failure differs(core::Rule rule, const std::string& plugin_path, std::string message) {
  core::Failure f = refusal(rule, std::move(message));
  f.with("manifest", manifest_path(plugin_path)).with("hint", std::string(make_anew));
  return f;
}

std::string named(const std::string& s) { return text("'", s, "'"); }
std::string named(const std::pair<std::string, std::string>& o) {
  return text("'", o.first, "::", o.second, "'");
}
std::string named(const Manifest::FrontEnd& f) { return named(f.name); }
std::string named(const Manifest::Transformation& t) { return text("'", t.id, "' of phase ", t.phase); }
std::string named(const Manifest::Interface& i) { return text("'", i.name, "' revision ", i.revision); }
std::string named(const Manifest::Extractor& e) {
  return text("'", e.op, "' (framework '", e.framework, "', domain '", e.domain, "', versions ", e.since,
              " to ", e.until, ")");
}

// "" when both lists are the same, else the first that only one has.
template <class T>
std::string difference(std::string_view what, const std::vector<T>& told, const std::vector<T>& real) {
  for (const T& t : told) {
    if (!core::contains(real, t))
      return text("it lists ", what, " ", named(t), ", which the plugin does not register");
  }
  for (const T& t : real)
    if (!core::contains(told, t))
      return text("the plugin registers ", what, " ", named(t), ", which it does not list");
  // What is listed twice was found each time.
  if (told.size() > real.size() && std::adjacent_find(told.begin(), told.end()) != told.end())
    return text("it lists ", what, " ", named(*std::adjacent_find(told.begin(), told.end())), " twice");
  return {};
}

std::string difference_of(const Manifest& told, const Manifest& real) {
  const std::pair<std::string_view, std::string Manifest::*> texts[] = {
      {"id", &Manifest::id},
      {"version", &Manifest::version},
      {"vendor", &Manifest::vendor},
      {"license", &Manifest::license},
      {"description", &Manifest::description},
      {"support_url", &Manifest::support_url}};
  for (const auto& [name, member] : texts)
    if (told.*member != real.*member)
      return text(name, " is '", told.*member, "'; the plugin's is '", real.*member, "'");
  if (told.abi_major != real.abi_major || told.abi_minor != real.abi_minor)
    return text("abi is ", told.abi_major, ".", told.abi_minor, "; the plugin's is ", real.abi_major, ".",
                real.abi_minor);
  for (const std::string& d : {difference("front-end", told.frontends, real.frontends),
                               difference("operation", told.operations, real.operations),
                               difference("extractor", told.extractors, real.extractors),
                               difference("transformation", told.transformations, real.transformations),
                               difference("option", told.options, real.options),
                               difference("converter", told.converters, real.converters),
                               difference("interface", told.interfaces, real.interfaces)})
    if (!d.empty()) return d;
  return {};
}

void compare_manifest(const std::string& plugin_path, const Manifest& told, const Manifest& real) {
  const std::string difference = difference_of(told, real);
  if (!difference.empty())
    throw differs(core::Rule::manifest_differs, plugin_path,
                  text("the manifest is not that of the plugin: ", difference));
}

}  // namespace

void check_manifest(const std::string& plugin_path, std::string digest) {
  const std::optional<Manifest> told = read_manifest(plugin_path);
  if (!told) return;
  if (digest.empty()) digest = loaded_digest(plugin_path);
  if (told->digest != digest)
    throw differs(core::Rule::manifest_of_other_file, plugin_path,
                  text("the manifest is of another file: its digest is ", told->digest,
                       ", that of the library ", digest));
}

void check_registered(const core::Session& session, const core::Plugin& plugin) {
  // What yields to a preferred plugin is in the manifest all the same.
  if (plugin.withdrawn != 0) return;
  if (const auto told = read_manifest(plugin.path))
    compare_manifest(plugin.path, *told, contents_of(session, plugin));
}

void check_registered(const std::string& plugin_path, const Manifest& registered) {
  if (const auto told = read_manifest(plugin_path)) compare_manifest(plugin_path, *told, registered);
}

}  // namespace mo::app
