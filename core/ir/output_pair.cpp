#include "core/support/output_file.hpp"
#include "core/support/uninterrupted.hpp"

#include <mo/text.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

namespace mo::core {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(std::string_view what, const std::string& path, std::string_view reason) {
  throw Failure(Exit::output, "MO0711", text(what, " '", path, "': ", reason));
}

void sync_folder(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) fail("cannot open the folder", path, std::strerror(errno));
  const int error = fsync(fd) == 0 ? 0 : errno;
  close(fd);
  // Some file systems have nothing to sync for a folder.
  if (error != 0 && error != EINVAL) fail("cannot sync the folder", path, std::strerror(error));
}

// An older file of the same name, renamed for as long as the new one is not in its place.
class SetAside {
 public:
  explicit SetAside(const std::string& path) : path_(path) {
    struct stat status {};
    if (lstat(path.c_str(), &status) != 0) return;
    if (!S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode))
      fail("cannot replace", path, S_ISDIR(status.st_mode) ? "it is a folder" : "it is not a regular file");
    std::string aside = text(path, ".old-", getpid());
    if (std::rename(path.c_str(), aside.c_str()) != 0) fail("cannot replace", path, std::strerror(errno));
    aside_ = std::move(aside);
  }
  ~SetAside() {
    if (!aside_.empty()) std::rename(aside_.c_str(), path_.c_str());
  }
  SetAside(const SetAside&) = delete;
  SetAside& operator=(const SetAside&) = delete;
  void discard() {
    if (!aside_.empty()) unlink(std::exchange(aside_, {}).c_str());
  }

 private:
  std::string path_, aside_;
};

// Taken back unless kept.
class Moved {
 public:
  explicit Moved(OutputFile& file) : file_(file) { file.move_to_path(); }
  ~Moved() {
    if (!kept_) file_.move_back();
  }
  Moved(const Moved&) = delete;
  Moved& operator=(const Moved&) = delete;
  void keep() { kept_ = true; }

 private:
  OutputFile& file_;
  bool kept_ = false;
};

}  // namespace

OutputFolder::OutputFolder(std::string path) : path_(path.empty() ? "." : std::move(path)) {
  std::vector<std::string> missing;
  std::error_code error;
  fs::path at = path_;
  while (!at.empty() && !fs::exists(at, error) && !error) {
    if (at.has_filename()) missing.push_back(at.string());  // "a/b/" ends with an empty name
    at = at.parent_path();
  }
  if (error) fail("cannot use the folder", path_, error.message());
  if (missing.empty() && !fs::is_directory(path_)) fail("cannot use the folder", path_, "it is not a folder");
  for (; !missing.empty(); missing.pop_back()) {
    const Uninterrupted step;
    if (mkdir(missing.back().c_str(), 0777) == 0) {
      made_.push_back(missing.back());
      remembered_.emplace_back(missing.back(), TemporaryFile::Kind::folder);
    } else if (errno != EEXIST) {
      const int reason = errno;
      take_away();
      fail("cannot make the folder", missing.back(), std::strerror(reason));
    }
  }
}

OutputFolder::~OutputFolder() { take_away(); }

void OutputFolder::take_away() noexcept {
  for (; !made_.empty(); made_.pop_back()) rmdir(made_.back().c_str());
  remembered_.clear();
}

void OutputFolder::sync() const {
  sync_folder(path_);
  for (const std::string& path : made_) sync_folder(path + "/..");
}

OutputPair::OutputPair(const std::string& folder, const std::string& name)
    : folder_(folder),
      xml_((fs::path(folder_.path()) / (name + ".xml")).string()),
      bin_((fs::path(folder_.path()) / (name + ".bin")).string()) {}

void OutputPair::commit(bool sync) {
  bin_.finish(sync);
  xml_.finish(sync);
  const Uninterrupted step;
  SetAside old_xml(xml_.path()), old_bin(bin_.path());
  Moved bin(bin_), xml(xml_);
  if (sync) folder_.sync();
  xml.keep();
  bin.keep();
  folder_.keep();
  old_xml.discard();
  old_bin.discard();
}

}  // namespace mo::core
