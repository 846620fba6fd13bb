#include "apps/mo-host/own_search_path.hpp"

#include <filesystem>

namespace mo::app {

core::SearchPath own_search_path() {
  std::error_code error;
  return core::default_search_path(std::filesystem::read_symlink("/proc/self/exe", error).string());
}

}  // namespace mo::app
