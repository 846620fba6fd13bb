#include "apps/mo-host/plugin/found.hpp"

#include "apps/mo-host/program/program.hpp"
#include "apps/session/own_search_path.hpp"
#include "core/support/paths.hpp"

namespace mo::app {

std::vector<core::Discovery> find_plugins(const Program& program, const Arguments& arguments,
                                          const std::vector<std::string>& named) {
  const bool allow = program.early().allow_writable_folders;
  const std::string loaders = loaders_beside(own_search_path().built_in);
  const DiscoveryRules trusting{.any_owner = true, .allow_writable_folders = true},
      rules{.any_owner = true, .allow_writable_folders = allow, .loaders = loaders},
      strict{.any_owner = false, .allow_writable_folders = allow, .loaders = loaders};
  std::vector<core::Discovery> list;
  for (const std::string& path : named) list.push_back(discover(core::resolve_path(path), rules));
  if (!named.empty()) return list;
  const SearchPath own = own_search_path();
  list.push_back(discover(own.built_in, trusting));
  for (const std::string& path : arguments.paths("extensions")) list.push_back(discover(path, rules));
  // As when loading: an empty --extensions leaves the host's own.
  if (!arguments.has("extensions") || !arguments.paths("extensions").empty())
    for (const std::string& path : own.searched) list.push_back(discover(path, strict));
  return list;
}

}  // namespace mo::app
