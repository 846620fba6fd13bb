#include "apps/plugin_search/load_plugins.hpp"

#include "apps/plugin_search/discovery.hpp"
#include "core/support/paths.hpp"

namespace mo::app {

namespace {

using Origin = core::PluginPlace::Origin;

core::PluginPlace look(const LoadRequest& request, const std::string& asked, Origin origin) {
  const bool built_in = origin == Origin::built_in;
  std::string path = built_in ? asked : core::resolve_path(asked);
  core::Discovery found =
      discover(path, {.any_owner = built_in || (origin == Origin::named && !request.only_own),
                      .allow_writable_folders = built_in || request.allow_writable_folders,
                      .loaders = built_in ? std::string() : loaders_beside(request.built_in)});
  return {origin, asked, std::move(path), std::move(found)};
}

}  // namespace

core::LoadReport load_plugins(core::Session& session, const LoadRequest& request, core::Gate& gate) {
  std::vector<core::PluginPlace> places;
  if (!request.built_in.empty()) places.push_back(look(request, request.built_in, Origin::built_in));
  for (const std::string& path : request.named) places.push_back(look(request, path, Origin::named));
  for (const std::string& path : request.searched) places.push_back(look(request, path, Origin::searched));
  return load_places(session, std::move(places), request.prefer, gate);
}

core::LoadReport load_plugins(core::Session& session, const LoadRequest& request) {
  core::Gate none;
  return load_plugins(session, request, none);
}

}  // namespace mo::app
