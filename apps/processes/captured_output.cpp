#include "apps/processes/captured_output.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

namespace mo::app {

namespace {

// Where nobody who closes the first hundreds of descriptors finds it.
constexpr int far_away = 600;

int moved_away(int descriptor) {
  if (descriptor < 0) return descriptor;
  const int far = fcntl(descriptor, F_DUPFD_CLOEXEC, far_away);
  if (far < 0) return descriptor;
  close(descriptor);
  return far;
}

}  // namespace

CapturedOutput::CapturedOutput() {
  std::fflush(stdout);
  file_ = moved_away(memfd_create("mo-host", MFD_CLOEXEC));
  if (file_ < 0) return;
  saved_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, far_away);
  if (saved_ < 0) saved_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  if (saved_ >= 0) (void)dup2(file_, STDOUT_FILENO);
}

std::string CapturedOutput::take() {
  std::string text;
  if (file_ < 0) return text;
  if (saved_ >= 0) {
    std::fflush(stdout);
    (void)dup2(saved_, STDOUT_FILENO);
    close(saved_);
    saved_ = -1;
  }
  struct stat status {};
  if (fstat(file_, &status) == 0 && status.st_size > 0) {
    text.resize(static_cast<size_t>(status.st_size));
    const ssize_t n = pread(file_, text.data(), text.size(), 0);
    text.resize(n < 0 ? 0 : static_cast<size_t>(n));
  }
  close(file_);
  file_ = -1;
  return text;
}

}  // namespace mo::app
