#include "apps/ir_files/ir_files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace mo::app {

namespace {

// A folder that can neither be made nor written to is known before a long conversion, not after it. What the file system
// says in the end still counts.
void check_folder(const std::string& path) {
  namespace fs = std::filesystem;
  fs::path there = path.empty() ? "." : path;
  std::error_code error;
  while (!fs::exists(there, error) && there.has_relative_path()) there = there.parent_path();
  const auto fail = [&](std::string_view reason) {
    const bool made = there != fs::path(path);
    return core::Failure(core::Exit::output, "MO0711",
                         text(made ? "cannot make the folder '" : "cannot write to the folder '", path,
                              "': '", there.string(), "' ", reason))
        .with("hint", "--output_dir names the folder to write to");
  };
  if (!fs::is_directory(there, error)) throw fail("is not a folder");
  if (access(there.c_str(), W_OK | X_OK) != 0)
    throw fail(text("cannot be written to (", std::strerror(errno), ")"));
}

// Failure MO0715 when one of these paths is a file that the session has read.
void check_not_read_from(const core::Session& session, const std::vector<std::string>& outputs) {
  for (const std::string& path : outputs) {
    struct stat s {};
    if (lstat(path.c_str(), &s) != 0) continue;
    for (const core::FileRef& file : session.files())
      if (file->is_file() && file->device == s.st_dev && file->inode == s.st_ino)
        throw core::Failure(core::Exit::output, "MO0715",
                            text("'", path, "' would be replaced, and the model is read from it"))
            .with("hint",
                  "another --output_dir or --model_name keeps both; --overwrite_source replaces the model");
  }
}

}  // namespace

IrFiles::IrFiles(const core::Session& session, IrPlace place) : session_(session), place_(std::move(place)) {}

void IrFiles::check() { check_folder(place_.folder); }

void IrFiles::begin(const std::string& model_name) {
  files_.emplace(place_.folder, file_stem(model_name));
  paths_ = {files_->xml().path(), files_->bin().path()};
  if (!place_.overwrite_source) check_not_read_from(session_, {paths_.xml, paths_.bin});
}

void IrFiles::text(std::string_view bytes) { files_->xml().write(bytes); }

void IrFiles::reserve(uint64_t bytes) { files_->bin().reserve(bytes); }

void IrFiles::weights(uint64_t at, std::string_view bytes) { files_->bin().write_at(at, bytes); }

void IrFiles::finish() { files_->commit(place_.fsync); }

}  // namespace mo::app
