#include "apps/files/regular_file.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <memory>

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

bool each_piece(int descriptor, const std::function<bool(std::string_view)>& take) {
  constexpr size_t most = 1 << 18;
  const auto piece = std::make_unique_for_overwrite<char[]>(most);
  for (;;) {
    const ssize_t n = read(descriptor, piece.get(), most);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n == 0;
    if (!take({piece.get(), static_cast<size_t>(n)})) return true;
  }
}

std::optional<std::string> read_regular_file(const std::string& path, std::string* problem, size_t most) {
  RegularFile file(path);
  std::string all;
  const auto take = [&](std::string_view piece) { return all.append(piece).size() <= most; };
  if (file.problem.empty() && !each_piece(file.descriptor.get(), take)) file.problem = std::strerror(errno);
  if (file.problem.empty() && all.size() <= most) return all;
  if (problem != nullptr) *problem = file.problem.empty() ? "it is too large" : std::move(file.problem);
  return std::nullopt;
}

}  // namespace mo::app
