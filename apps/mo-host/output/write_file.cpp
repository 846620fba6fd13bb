#include "apps/mo-host/output/write_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "apps/files/temporary_files.hpp"
#include "core/support/descriptor.hpp"
#include "core/support/failure.hpp"

namespace mo::app {

void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw core::Failure(core::Exit::output, "MO0711",
                        "cannot make the folder '" + folder + "': " + error.message());
}

namespace {

core::Failure cannot_write(const std::string& path) {
  return core::Failure(core::Exit::output, "MO0713", "cannot write '" + path + "': " + std::strerror(errno));
}

// False, and errno says why, when not all of it could be written.
bool write_and_close(int fd, std::string_view text) {
  core::Descriptor file(fd);
  while (!text.empty()) {
    const ssize_t n = write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    text.remove_prefix(static_cast<size_t>(n));
  }
  return ::close(file.release()) == 0;
}

}  // namespace

bool is_replaceable(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode);
}

void write_file(const std::string& named, std::string_view text) {
  if (!is_replaceable(named)) {
    // A pipe that nobody reads is an error, and not waited for; what is read slowly is.
    const int fd = open(named.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fcntl(fd, F_SETFL, O_WRONLY) != 0 || !write_and_close(fd, text)) throw cannot_write(named);
    return;
  }
  // A link stays one.
  std::error_code ignored;
  const auto target = std::filesystem::canonical(named, ignored);
  const std::string path = ignored ? named : target.string();
  TemporaryFile aside(path + ".part");
  const int fd = open(aside.path().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd >= 0 && write_and_close(fd, text) && std::rename(aside.path().c_str(), path.c_str()) == 0) return;
  const core::Failure failure = cannot_write(named);
  unlink(aside.path().c_str());
  throw failure;
}

}  // namespace mo::app
