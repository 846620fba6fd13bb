#include "apps/files/scratch_folder.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace mo::app {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder(std::string_view begin)
    : path_((fs::temp_directory_path() / begin).string() + "-XXXXXX") {
  if (mkdtemp(path_.data()) == nullptr) path_.clear();
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace mo::app
