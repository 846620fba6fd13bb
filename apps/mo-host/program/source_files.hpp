// In which source files plugins register what they have, as they say while they do: MO_LOG_IN_SOURCE.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/registry/session.hpp"

namespace mo::app {

class SourceFiles {
 public:
  // Is it about a place? Then it is kept.
  bool takes(const core::LogLine&);
  // The files of what a plugin has registered, in the order of the registry; of nobody who has not said.
  using Files = std::map<const core::Registered*, std::string>;
  Files operations(const core::Registry&) const;
  Files extractors(const core::Registry&) const;
  Files transformations(const core::Registry&) const;

 private:
  struct Place {
    core::Counts before;  // what the plugin had registered by then
    std::string file;
  };
  template <class T>
  Files of(const std::vector<const T*>& in_order, size_t core::Counts::*count) const;

  std::map<const core::Plugin*, std::vector<Place>> places_;
};

}  // namespace mo::app
