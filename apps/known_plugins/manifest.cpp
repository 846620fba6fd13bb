#include "apps/known_plugins/manifest.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "apps/known_plugins/digest.hpp"
#include "core/registry/counts.hpp"
#include "core/registry/refusal.hpp"

namespace mo::app {

namespace {

constexpr std::string_view library_end = ".so", manifest_end = ".json";

std::string phase_word(int32_t phase) {
  constexpr std::string_view names[] = {"load",        "front", "pre_middle", "middle",
                                        "post_middle", "back",  "emit"};
  return phase >= MO_PHASE_LOAD && phase <= MO_PHASE_EMIT ? std::string(names[phase - MO_PHASE_LOAD])
                                                          : std::to_string(phase);
}

// Calls f with each registration of the plugin.
template <class Items, class F>
void each_of(const core::Plugin& plugin, const Items& items, F f) {
  for (const auto* item : items)
    if (item->plugin == &plugin) f(*item);
}

template <class T, class Key>
void sort_by(std::vector<T>& list, Key key) {
  std::sort(list.begin(), list.end(), [&](const T& a, const T& b) { return key(a) < key(b); });
}

}  // namespace

Manifest contents_of(const core::Session& session, const core::Plugin& plugin) {
  const core::Registry& r = session.registry();
  Manifest m;
  static_cast<core::PluginFacts&>(m) = plugin;
  each_of(plugin, r.frontends(), [&](const core::FrontEnd& f) {
    m.frontends.push_back({f.name, f.aliases, f.extensions});
  });
  each_of(plugin, r.operations_of(plugin),
          [&](const core::Operation& o) { m.operations.emplace_back(o.opset, o.op); });
  each_of(plugin, r.extractors(), [&](const core::Extractor& e) {
    m.extractors.push_back({e.framework, e.domain, e.op, e.since, e.until});
  });
  each_of(plugin, r.transformations(), [&](const core::Transformation& t) {
    m.transformations.push_back({t.id, phase_word(t.phase)});
  });
  each_of(plugin, r.options(), [&](const core::OptionDef& o) { m.options.push_back(o.name); });
  each_of(plugin, r.converters(), [&](const core::Converter& c) { m.converters.push_back(c.type_name); });
  each_of(plugin, r.interfaces(), [&](const core::Interface& i) {
    m.interfaces.push_back({i.name, i.revision});
  });
  sort_by(m.frontends, [](const auto& f) { return f.name; });
  std::sort(m.operations.begin(), m.operations.end());
  sort_by(m.extractors,
          [](const auto& e) { return std::tie(e.framework, e.domain, e.op, e.since, e.until); });
  sort_by(m.transformations, [](const auto& t) { return t.id; });
  std::sort(m.options.begin(), m.options.end());
  std::sort(m.converters.begin(), m.converters.end());
  sort_by(m.interfaces, [](const auto& i) { return std::tie(i.name, i.revision); });
  return m;
}

Manifest manifest_of(const core::Session& session, const core::Plugin& plugin) {
  Manifest m = contents_of(session, plugin);
  if (!plugin.path.empty()) {
    m.file = std::filesystem::path(plugin.path).filename().string();
    m.digest = loaded_digest(plugin.path);
  }
  return m;
}

std::string manifest_path(const std::string& plugin_path) {
  if (!plugin_path.ends_with(library_end)) return {};
  return plugin_path.substr(0, plugin_path.size() - library_end.size()).append(manifest_end);
}

std::optional<Manifest> read_manifest(const std::string& plugin_path) {
  constexpr uintmax_t largest = 64U << 20U;  // a plugin that registers 100 000 things has less
  const std::string path = manifest_path(plugin_path);
  std::error_code error;
  if (path.empty() || !std::filesystem::exists(path, error)) return std::nullopt;
  const uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size > largest)
    throw refusal(core::Rule::manifest_form,
                  error ? text("the manifest cannot be read: ", error.message())
                        : text("the manifest has ", size, " bytes; expected at most ", largest))
        .with("manifest", path);
  std::ifstream file(path, std::ios::binary);
  const std::string json{std::istreambuf_iterator<char>(file), {}};
  if (!file.good() && !file.eof())
    throw refusal(core::Rule::manifest_form, "the manifest cannot be read").with("manifest", path);
  return manifest_from_json(path, json);
}

std::string counts(const Manifest& m) {
  return core::in_words({.frontends = m.frontends.size(),
                         .operations = m.operations.size(),
                         .extractors = m.extractors.size(),
                         .transformations = m.transformations.size(),
                         .options = m.options.size(),
                         .converters = m.converters.size(),
                         .interfaces = m.interfaces.size()});
}

}  // namespace mo::app
