#include "core/support/output_file.hpp"

#include <mo/text.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "core/support/uninterrupted.hpp"

namespace mo::core {

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  // A file of that name may be left over from another process of that number, or belong to a thread of ours.
  for (int attempt = 0; fd_ < 0; ++attempt) {
    const Uninterrupted step;  // who interrupts finds no file, or one that is remembered
    std::string name = text(path_, ".tmp-", getpid(), attempt == 0 ? "" : text("-", attempt));
    fd_ = open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd_ < 0 && (errno != EEXIST || attempt == 1000)) fail(errno);
    if (fd_ >= 0) temporary_.emplace(std::move(name));
  }
}

OutputFile::~OutputFile() {
  if (fd_ >= 0) close(fd_);
  if (temporary_ && !moved_) unlink(temporary_->path().c_str());
}

void OutputFile::fail(int error) const {
  Failure f(Exit::output, "MO0710", text("cannot write '", path_, "': ", std::strerror(error)));
  if (error == EACCES || error == EPERM || error == EROFS)
    f.with("hint", "--output_dir names the folder to write to");
  if (error == EFBIG) f.with("hint", "the system limits the size of files; see `ulimit -f`");
  throw f;
}

void OutputFile::write(std::string_view bytes) {
  write_at(size_, bytes);
  size_ += bytes.size();
}

void OutputFile::write_at(uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(errno);
    if (n == 0) fail(ENOSPC);
    bytes.remove_prefix(static_cast<size_t>(n));
    offset += static_cast<uint64_t>(n);
  }
}

void OutputFile::reserve(uint64_t bytes) {
  if (bytes != 0) {
    // posix_fallocate would write zeros where the file system cannot do it.
    int result;
    do result = fallocate(fd_, 0, 0, static_cast<off_t>(bytes));
    while (result != 0 && errno == EINTR);
    if (result != 0 && errno != EOPNOTSUPP && errno != ENOSYS) fail(errno);
    if (result != 0 && ftruncate(fd_, static_cast<off_t>(bytes)) != 0) fail(errno);
  }
  size_ = bytes;
}

void OutputFile::finish(bool sync) {
  if (sync && fsync(fd_) != 0) fail(errno);
  if (close(std::exchange(fd_, -1)) != 0 && errno != EINTR) fail(errno);
}

void OutputFile::move_to_path() {
  if (std::rename(temporary_->path().c_str(), path_.c_str()) != 0) fail(errno);
  temporary_->forget();
  moved_ = true;
}

void OutputFile::move_back() noexcept {
  if (std::rename(path_.c_str(), temporary_->path().c_str()) == 0) moved_ = false;
}

std::string file_stem(std::string_view model_name) {
  std::string stem(model_name);
  for (char& c : stem)
    if (c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '_';
  if (stem.empty() || stem == "." || stem == "..") return "model";
  return stem;
}

}  // namespace mo::core
