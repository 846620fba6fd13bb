// A folder in that of temporary files, which goes with this object.
#pragma once

#include <string>
#include <string_view>

namespace mo::app {

class ScratchFolder {
 public:
  // Its name begins with that.
  explicit ScratchFolder(std::string_view begin);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  // "" when none can be made.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace mo::app
