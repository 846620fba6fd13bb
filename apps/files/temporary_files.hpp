// Files that must not be left behind when the process is interrupted or crashes.
#pragma once

#include <string>

namespace mo::app {

// Remembers a path for the time it exists. The file is the owner's; only a crash removes it from here.
class TemporaryFile {
 public:
  enum class Kind { file, folder };
  // A folder is removed when nothing is in it, after all files.
  explicit TemporaryFile(std::string path, Kind kind = Kind::file);
  ~TemporaryFile() { forget(); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }
  // It has been renamed or removed.
  void forget() noexcept;

 private:
  std::string path_;
  int slot_ = -1;
};

// Removes whatever is remembered. [async-signal-safe]
void remove_temporary_files() noexcept;

}  // namespace mo::app
