#include "apps/mo-host/shared_folder.hpp"

#include <filesystem>

namespace mo::app {

std::string shared_folder(const std::string& name) {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  return (program.parent_path().parent_path() / "share/mo-host" / name).string();
}

}  // namespace mo::app
