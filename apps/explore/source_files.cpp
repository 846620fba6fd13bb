#include "apps/explore/source_files.hpp"

#include <algorithm>

namespace mo::app {

namespace {

// A plugin's own are in the order in which it registered them.
template <class T>
SourceFiles source_files_of(const std::vector<const T*>& in_order, size_t core::Counts::*count) {
  std::map<const core::Plugin*, size_t> numbers;
  SourceFiles files;
  for (const T* item : in_order) {
    if (item->plugin == nullptr) continue;
    const size_t number = numbers[item->plugin]++;
    const auto& said = item->plugin->sources;
    const auto after = std::partition_point(
        said.begin(), said.end(), [&](const core::Plugin::Source& s) { return s.before.*count <= number; });
    if (after != said.begin()) files[item] = std::prev(after)->file;
  }
  return files;
}

}  // namespace

SourceFiles source_files_of_operations(const core::Registry& r) {
  return source_files_of(r.operations(), &core::Counts::operations);
}
SourceFiles source_files_of_extractors(const core::Registry& r) {
  return source_files_of(r.extractors(), &core::Counts::extractors);
}
SourceFiles source_files_of_transformations(const core::Registry& r) {
  return source_files_of(r.transformations(), &core::Counts::transformations);
}

Places::Places(const core::Registry& r) {
  for (const SourceFiles& files :
       {source_files_of_operations(r), source_files_of_extractors(r), source_files_of_transformations(r)})
    for (const auto& [item, file] : files)
      if (const size_t colon = file.rfind(':'); colon != file.npos && colon + 1 != file.size() &&
                                                file.find_first_not_of("0123456789", colon + 1) == file.npos)
        places_.emplace(item, file);
}

std::string Places::of(const core::Registered* item) const {
  const auto known = places_.find(item);
  return known == places_.end() ? std::string() : known->second;
}

std::string Places::in_brackets(const core::Registered* item) const {
  const std::string place = of(item);
  return place.empty() ? place : " (" + place + ")";
}

}  // namespace mo::app
