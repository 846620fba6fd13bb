// In which source files plugins register what they have, as they say while they do.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/registry/session.hpp"

namespace mo::app {

// The files of what plugins have registered; of nobody who has not said.
using SourceFiles = std::map<const core::Registered*, std::string>;
SourceFiles source_files_of_operations(const core::Registry&);
SourceFiles source_files_of_extractors(const core::Registry&);
SourceFiles source_files_of_transformations(const core::Registry&);

// "FILE:LINE" of items that say their line, too: those of scripts, which whoever looks for one can open. Of others "".
class Places {
 public:
  Places() = default;
  explicit Places(const core::Registry&);
  std::string of(const core::Registered*) const;
  // " (FILE:LINE)", behind its name; or "".
  std::string in_brackets(const core::Registered*) const;

 private:
  SourceFiles places_;
};

}  // namespace mo::app
