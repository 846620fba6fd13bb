#include "apps/files/output_file.hpp"

#include <mo/text.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "apps/files/uninterrupted.hpp"
#include "core/support/failure.hpp"

namespace mo::app {

namespace {

// What a killed process left of earlier attempts at this file, where files have names from the beginning. Other
// machines write to the folder, too, so that no process can be asked for.
void remove_remains(const core::Descriptor& folder, const std::string& shown, const std::string& begin) {
  constexpr std::time_t day = 24 * 60 * 60;
  std::error_code error;
  for (std::filesystem::directory_iterator it(shown, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    struct stat s {};
    if (name.starts_with(begin) && fstatat(folder.get(), name.c_str(), &s, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISREG(s.st_mode) && s.st_mtime < std::time(nullptr) - day)
      unlinkat(folder.get(), name.c_str(), 0);
  }
}

}  // namespace

OutputFile::OutputFile(const std::string& folder, std::string name, const core::Descriptor* opened)
    : path_((std::filesystem::path(folder) / name).string()),
      name_(std::move(name)),
      folder_(opened != nullptr
                  ? fcntl(opened->get(), F_DUPFD_CLOEXEC, 0)
                  : open(folder.empty() ? "." : folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
  struct stat there {};
  if (!folder_ ||
      (fstatat(folder_.get(), name_.c_str(), &there, AT_SYMLINK_NOFOLLOW) != 0 && errno != ENOENT))
    fail(errno);
  // Nothing is left of a file without a name, however the process ends. What gives it one is in /proc.
  file_ = core::Descriptor(openat(folder_.get(), ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666));
  if (file_ && access(itself().c_str(), F_OK) == 0) return;
  file_.close();
  remove_remains(folder_, folder, name_ + ".tmp-");
  take_name([&](const char* aside) {
    file_ = core::Descriptor(openat(folder_.get(), aside, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    return bool(file_);
  });
}

OutputFile::OutputFile(const std::string& path)
    : OutputFile(std::filesystem::path(path).parent_path(), std::filesystem::path(path).filename(), nullptr) {
}

OutputFile::~OutputFile() {
  if (temporary_ && !moved_) unlinkat(folder_.get(), aside_.c_str(), 0);
}

void OutputFile::fail(int error) const {
  core::Failure f(core::Exit::output, "MO0710", text("cannot write '", path_, "': ", std::strerror(error)));
  if (error == EACCES || error == EPERM || error == EROFS)
    f.with("hint", "--output_dir names the folder to write to");
  if (error == EFBIG) f.with("hint", "the system limits the size of files; see `ulimit -f`");
  throw f;
}

std::string OutputFile::itself() const { return text("/proc/self/fd/", file_.get()); }

// A file of that name may be left over from another process of that number, or belong to a thread of ours.
void OutputFile::take_name(const std::function<bool(const char*)>& make) {
  for (int attempt = 0; !temporary_; ++attempt) {
    const Uninterrupted step;  // who interrupts finds no file, or one that is remembered
    const std::string end = text(".tmp-", getpid(), attempt == 0 ? "" : text("-", attempt));
    aside_ = name_ + end;
    if (make(aside_.c_str()))
      temporary_.emplace(path_ + end);
    else if (errno != EEXIST || attempt == 1000)
      fail(errno);
  }
}

void OutputFile::write(std::string_view bytes) {
  write_at(size_, bytes);
  size_ += bytes.size();
}

void OutputFile::write_at(uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = pwrite(file_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
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
    do result = fallocate(file_.get(), 0, 0, static_cast<off_t>(bytes));
    while (result != 0 && errno == EINTR);
    if (result != 0 && errno != EOPNOTSUPP && errno != ENOSYS) fail(errno);
    if (result != 0 && ftruncate(file_.get(), static_cast<off_t>(bytes)) != 0) fail(errno);
  }
  size_ = bytes;
}

bool OutputFile::link_to(const core::Descriptor& other) {
  if (temporary_) return false;
  const std::string source = text("/proc/self/fd/", other.get());
  try {
    take_name([&](const char* aside) {
      return linkat(AT_FDCWD, source.c_str(), folder_.get(), aside, AT_SYMLINK_FOLLOW) == 0;
    });
  } catch (const core::Failure&) {
    return false;
  }
  file_.close();
  return true;
}

void OutputFile::finish(bool sync) {
  if (sync && file_ && fsync(file_.get()) != 0) fail(errno);
  if (temporary_ && file_ && ::close(file_.release()) != 0 && errno != EINTR) fail(errno);
}

void OutputFile::move_to_path() {
  const auto link_as = [&](const char* name) {
    return linkat(AT_FDCWD, itself().c_str(), folder_.get(), name, AT_SYMLINK_FOLLOW) == 0;
  };
  if (!temporary_) {
    moved_ = link_as(name_.c_str());
    if (moved_) return;
    if (errno != EEXIST) fail(errno);
    take_name(link_as);  // renaming replaces what is there, linking does not
  }
  if (renameat(folder_.get(), aside_.c_str(), folder_.get(), name_.c_str()) != 0) fail(errno);
  temporary_->forget();
  moved_ = true;
}

void OutputFile::belong_in(const core::Descriptor& folder) {
  folder_ = core::Descriptor(fcntl(folder.get(), F_DUPFD_CLOEXEC, 0));
  if (!folder_) fail(errno);
}

void OutputFile::move_back() noexcept { unlinkat(folder_.get(), name_.c_str(), 0); }

}  // namespace mo::app
