#include "apps/mo-host/write_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "core/support/failure.hpp"
#include "core/support/temporary_files.hpp"

namespace mo::app {

void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw core::Failure(core::Exit::output, "MO0711",
                        "cannot make the folder '" + folder + "': " + error.message());
}

void write_file(const std::string& path, std::string_view text) {
  core::TemporaryFile aside(path + ".part");
  const auto fail = [&] {
    const std::string why = std::strerror(errno);
    unlink(aside.path().c_str());
    return core::Failure(core::Exit::output, "MO0713", "cannot write '" + path + "': " + why);
  };
  const int fd = open(aside.path().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) throw fail();
  while (!text.empty()) {
    const ssize_t n = write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const auto f = fail();
      close(fd);
      throw f;
    }
    text.remove_prefix(static_cast<size_t>(n));
  }
  if (close(fd) != 0 || std::rename(aside.path().c_str(), path.c_str()) != 0) throw fail();
}

}  // namespace mo::app
