// Files that this process has read for a conversion: models, what lies beside them, configurations. Whoever
// asks what a result depends on gets them from here.
#pragma once

#include <string>
#include <vector>

namespace mo::core {

void note_opened_file(const std::string& path);
// A copy of the process begins with none.
void forget_opened_files();
// Absolute paths, each once, sorted.
std::vector<std::string> opened_files();
// Shared libraries in this process that do not belong to the system, the same way.
std::vector<std::string> loaded_libraries();

}  // namespace mo::core
