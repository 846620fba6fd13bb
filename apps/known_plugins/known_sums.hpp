// Sums of the contents of files, remembered by where a file lies, its size and its times, so that what has not been
// written to is not read again: what ccache and git do.
#pragma once

#include <chrono>
#include <string>

struct stat;

namespace mo::app {

class KnownSums {
 public:
  enum class Kind {
    sha256,  // for keys. A change of anything in the inode means reading the file
    xxh3     // for what we wrote ourselves, under as many names as there may be: making one changes its inode
  };
  // `file`: where they are remembered; "": nowhere. `settled`: what was written more lately than that may be written to
  // again without another time, and is not remembered.
  explicit KnownSums(std::string file, std::chrono::milliseconds settled = std::chrono::seconds(2))
      : file_(std::move(file)), settled_(settled) {}

  // In hexadecimal digits; "" when the file cannot be read.
  std::string of(const std::string& path, Kind) const;

 private:
  std::string known(const struct stat&, Kind) const;
  void remember(const struct stat&, Kind, const std::string& sum) const;

  std::string file_;
  std::chrono::milliseconds settled_;
};

// $XDG_CACHE_HOME/mo-host/sums, or the same below ~/.cache; "" in a privileged run.
std::string known_sums_file();

}  // namespace mo::app
