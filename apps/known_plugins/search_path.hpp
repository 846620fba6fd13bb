// Folders that are searched without being named: MO_EXTENSIONS_PATH, the user's data folder, what is
// installed beside the program.
#pragma once

#include <string>
#include <vector>

namespace mo::app {

struct SearchPath {
  std::string built_in;               // plugins that belong to the host
  std::vector<std::string> searched;  // in this order; those of MO_EXTENSIONS_PATH whether they exist or not
  std::string note;                   // what was left out, and why
};

// `executable`: the program's own path. A privileged run (set-user-id and the like) reads no environment
// variable.
SearchPath default_search_path(const std::string& executable);

}  // namespace mo::app
