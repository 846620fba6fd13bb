#include "apps/mo-host/program/source_files.hpp"

#include <mo/conventions.h>

#include <algorithm>

namespace mo::app {

bool SourceFiles::takes(const core::LogLine& line) {
  constexpr std::string_view beginning = MO_LOG_IN_SOURCE;
  if (line.plugin == nullptr || line.level != MO_LOG_DEBUG || !line.text.starts_with(beginning)) return false;
  places_[line.plugin].push_back({*line.plugin, line.text.substr(beginning.size())});
  return true;
}

template <class T>
SourceFiles::Files SourceFiles::of(const std::vector<const T*>& in_order, size_t core::Counts::*count) const {
  std::map<const core::Plugin*, size_t> seen;
  Files files;
  for (const T* item : in_order) {
    const size_t number = seen[item->plugin]++;
    const auto said = places_.find(item->plugin);
    if (said == places_.end()) continue;
    const auto after = std::partition_point(said->second.begin(), said->second.end(),
                                            [&](const Place& p) { return p.before.*count <= number; });
    if (after != said->second.begin()) files[item] = std::prev(after)->file;
  }
  return files;
}

SourceFiles::Files SourceFiles::operations(const core::Registry& r) const {
  return of(r.operations(), &core::Counts::operations);
}
SourceFiles::Files SourceFiles::extractors(const core::Registry& r) const {
  return of(r.extractors(), &core::Counts::extractors);
}
SourceFiles::Files SourceFiles::transformations(const core::Registry& r) const {
  return of(r.transformations(), &core::Counts::transformations);
}

}  // namespace mo::app
