#include "apps/mo-host/program/shared_folder.hpp"

#include <filesystem>

#include "apps/processes/program_path.hpp"

namespace mo::app {

std::string shared_folder(const std::string& name) {
  const std::filesystem::path program = program_path();
  return (program.parent_path().parent_path() / "share/mo-host" / name).string();
}

}  // namespace mo::app
