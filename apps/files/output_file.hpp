// A file that is written aside, and appears whole or not at all.
#pragma once

#include "apps/files/temporary_files.hpp"
#include "core/support/descriptor.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace mo::app {

// A file without a name until it is moved to PATH, in the folder that PATH was in at the beginning; PATH.tmp-PID where the
// system has no such files. Whoever gives it up before leaves nothing behind. Every error is a Failure (Exit::output) with
// path and reason.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  // `opened`: the folder; null: it is opened here.
  OutputFile(const std::string& folder, std::string name, const core::Descriptor* opened);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  const std::string& path() const { return path_; }
  const std::string& name() const { return name_; }
  const core::Descriptor& file() const { return file_; }
  uint64_t size() const { return size_; }

  // Appends.
  void write(std::string_view bytes);
  // The file will have this size: makes a full disk known now, and later writes cheaper. What is not written
  // reads as zeros.
  void reserve(uint64_t bytes);
  // Writes into what was reserved.
  void write_at(uint64_t offset, std::string_view bytes);
  // In place of writing: this is another name of that file. False where the system does not do it.
  bool link_to(const core::Descriptor&);
  void finish(bool sync);
  // Another folder of that path. Before move_to_path().
  void belong_in(const core::Descriptor& folder);
  // After finish(); replaces what is there.
  void move_to_path();
  // After move_to_path(), when nothing was replaced.
  void move_back() noexcept;

 private:
  [[noreturn]] void fail(int error) const;
  std::string itself() const;
  void take_name(const std::function<bool(const char*)>& make);

  std::string path_, name_, aside_;  // the others are names in folder_
  std::optional<TemporaryFile> temporary_;
  core::Descriptor folder_, file_;
  uint64_t size_ = 0;
  bool moved_ = false;
};

}  // namespace mo::app
