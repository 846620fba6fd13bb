#include "apps/mo-host/places.hpp"

#include <algorithm>

namespace mo::app {

namespace {

// A plugin's own are in the order in which it registered them.
template <class T>
Places places_of(const std::vector<const T*>& in_order, size_t core::Counts::*count) {
  std::map<const core::Plugin*, size_t> numbers;
  Places files;
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

Places places_of_operations(const core::Registry& r) {
  return places_of(r.operations(), &core::Counts::operations);
}
Places places_of_extractors(const core::Registry& r) {
  return places_of(r.extractors(), &core::Counts::extractors);
}
Places places_of_transformations(const core::Registry& r) {
  return places_of(r.transformations(), &core::Counts::transformations);
}

}  // namespace mo::app
