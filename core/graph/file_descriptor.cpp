#include "core/graph/file_descriptor.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace mo::core {

namespace {

// Of all sessions together. The few files that a model has stay open, which saves a system call per window.
constexpr int most_kept = 16;
std::atomic<int> kept{0};

}  // namespace

int keep_descriptor(Descriptor d) noexcept {
  if (++kept <= most_kept) return d.release();
  --kept;
  return -1;
}

void give_up_descriptor(int fd) noexcept {
  if (fd < 0) return;
  close(fd);
  --kept;
}

FileDescriptor::FileDescriptor(const mo_file& file) : fd_(file.fd) {
  if (fd_ >= 0) return;
  own_ = Descriptor(open(file.path.c_str(), O_RDONLY | O_CLOEXEC));
  fd_ = own_.get();
  struct stat now {};
  if (fd_ < 0 || fstat(fd_, &now) != 0)
    throw Error(text("cannot open '", file.path, "' again: ", std::strerror(errno)), MO_IO_ERROR);
  if (now.st_dev != file.device || now.st_ino != file.inode)
    throw Error(text("'", file.path, "' was replaced by another file during the conversion"), MO_IO_ERROR);
}

}  // namespace mo::core
