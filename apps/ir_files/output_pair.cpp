#include "apps/ir_files/output_pair.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <mo/text.hpp>
#include <utility>

#include "apps/files/uninterrupted.hpp"
#include "core/support/failure.hpp"

namespace mo::app {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(std::string_view what, const std::string& path, std::string_view reason) {
  throw core::Failure(core::Exit::output, "MO0711", text(what, " '", path, "': ", reason));
}

void sync_folder(int at, const std::string& path) {
  const core::Descriptor folder(openat(at, path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Some file systems have nothing to sync for a folder.
  if (!folder || (fsync(folder.get()) != 0 && errno != EINVAL))
    fail("cannot sync the folder", path, std::strerror(errno));
}

// An older file of the same name, renamed for as long as the new one is not in its place. What a process that was
// killed in between has left there is replaced, or removed.
class SetAside {
 public:
  SetAside(const OutputFolder& folder, const std::string& name)
      : folder_(folder.opened().get()), name_(name), aside_(name + ".before-mo-host") {
    struct stat status {};
    if (fstatat(folder_, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return;
    const std::string path = folder.path() + "/" + name;
    if (!S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode))
      fail("cannot replace", path, S_ISDIR(status.st_mode) ? "it is a folder" : "it is not a regular file");
    is_ = renameat(folder_, name.c_str(), folder_, aside_.c_str()) == 0;
    if (!is_) fail("cannot replace", path, std::strerror(errno));
  }
  ~SetAside() {
    if (is_) renameat(folder_, aside_.c_str(), folder_, name_.c_str());
  }
  SetAside(const SetAside&) = delete;
  SetAside& operator=(const SetAside&) = delete;
  void discard() {
    unlinkat(folder_, aside_.c_str(), 0);
    is_ = false;
  }

 private:
  int folder_;
  std::string name_, aside_;
  bool is_ = false;
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

OutputFolder::OutputFolder(std::string path) : path_(path.empty() ? "." : std::move(path)) { make(); }

void OutputFolder::make() {
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
  opened_ = core::Descriptor(open(path_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!opened_) fail("cannot use the folder", path_, std::strerror(errno));
}

bool OutputFolder::make_again() {
  struct stat status {};
  if (fstat(opened_.get(), &status) != 0 || status.st_nlink != 0) return false;
  keep();
  make();
  return true;
}

OutputFolder::~OutputFolder() { take_away(); }

void OutputFolder::take_away() noexcept {
  for (; !made_.empty(); made_.pop_back()) rmdir(made_.back().c_str());
  remembered_.clear();
}

void OutputFolder::sync() const {
  sync_folder(opened_.get(), ".");
  for (const std::string& path : made_) sync_folder(AT_FDCWD, path + "/..");
}

OutputPair::OutputPair(const std::string& folder, const std::string& name)
    : folder_(folder),
      xml_(folder_.path(), name + ".xml", &folder_.opened()),
      bin_(folder_.path(), name + ".bin", &folder_.opened()) {}

void OutputPair::commit(bool sync) {
  bin_.finish(sync);
  xml_.finish(sync);
  const Uninterrupted step;
  if (folder_.make_again())
    for (OutputFile* file : {&bin_, &xml_}) file->belong_in(folder_.opened());
  SetAside old_xml(folder_, xml_.name()), old_bin(folder_, bin_.name());
  Moved bin(bin_), xml(xml_);
  if (sync) folder_.sync();
  xml.keep();
  bin.keep();
  folder_.keep();
  old_xml.discard();
  old_bin.discard();
}

std::string file_stem(std::string_view model_name) {
  std::string stem(model_name);
  for (char& c : stem)
    if (c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '_';
  if (stem.empty() || stem == "." || stem == "..") return "model";
  return stem;
}

}  // namespace mo::app
