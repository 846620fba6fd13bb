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

}  // namespace mo::app
