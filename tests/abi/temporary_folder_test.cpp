#include <stdlib.h>

#include "tests/abi/zoo_session.hpp"

namespace mo::core {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "mo-abi-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
  path_ = fs::canonical(name);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path TemporaryFolder::add_zoo(const std::string& stem, const std::string& relative) const {
  const fs::path to = path_ / relative;
  fs::create_directories(to.parent_path());
  fs::copy_file(test::zoo(stem), to);
  return to;
}

fs::path TemporaryFolder::add_text(const std::string& text, const std::string& relative) const {
  const fs::path to = path_ / relative;
  fs::create_directories(to.parent_path());
  std::ofstream(to) << text;
  return to;
}

}  // namespace mo::core
