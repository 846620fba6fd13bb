#include "apps/mo-host/program/source_files.hpp"

#include <algorithm>

namespace mo::app {

namespace {

// A plugin's own are in the order in which it registered them.
template <class T>
SourceFiles source_files_of(const std::vector<const T*>& in_order, size_t core::Counts::*count) {
  std::map<const core::Plugin*, size_t> numbers;
  SourceFiles files;
  for (const T* item : in_order) {
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

}  // namespace mo::app
