#include "apps/mo-host/convert/cache_entry.hpp"

#include <mo/error.hpp>
#include <mo/json.hpp>

namespace mo::app {

std::vector<std::vector<CacheRead>> read_lists(std::string_view text, const std::string& path) {
  const Json all = Json::parse(text, path);
  require(all.kind() == Json::Kind::list, "it is no list");
  std::vector<std::vector<CacheRead>> lists;
  for (const Json& list : all.items()) {
    std::vector<CacheRead>& files = lists.emplace_back();
    for (const auto& pair : list.as<std::vector<std::vector<std::string>>>("a file")) {
      require(pair.size() == 2, "a file has ", pair.size(), " texts; expected its path and its sum");
      files.push_back({pair[0], pair[1]});
    }
  }
  return lists;
}

KeptResult read_kept_result(std::string_view text, const std::string& path) {
  const Json said = Json::parse(text, path);
  return {said.get<std::string>("key"),       said.get<std::string>("xml"), said.get<std::string>("bin"),
          said.get<std::string>("framework"), said.get<size_t>("nodes"),    said.get<size_t>("layers"),
          said.get<int>("ir_version")};
}

}  // namespace mo::app
