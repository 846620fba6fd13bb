#include "apps/files/regular_file.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>

namespace mo::app {

RegularFile::RegularFile(const std::string& path)
    : descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  struct stat s {};
  if (!descriptor || fstat(descriptor.get(), &s) != 0)
    problem = std::strerror(errno);
  else if (!S_ISREG(s.st_mode))
    problem = "it is not a regular file";
  if (!problem.empty()) descriptor.close();
}

std::optional<std::string> read_regular_file(const std::string& path, std::string* problem, size_t most) {
  RegularFile file(path);
  std::string all;
  char part[1 << 14];
  while (file.problem.empty()) {
    const ssize_t n = read(file.descriptor.get(), part, sizeof part);
    if (n == 0) return all;
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      file.problem = std::strerror(errno);
    else if (all.append(part, static_cast<size_t>(n)).size() > most)
      file.problem = "it is too large";
  }
  if (problem != nullptr) *problem = std::move(file.problem);
  return std::nullopt;
}

}  // namespace mo::app
