// ZIP archives, as some frameworks' models are: entries as they are, one behind the other, and their list.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace mo::app {

// Each a path within the archive and what is there. They are not compressed, and have no date.
using ArchiveEntries = std::vector<std::pair<std::string, std::string>>;

std::string archive_of(const ArchiveEntries&);

}  // namespace mo::app
