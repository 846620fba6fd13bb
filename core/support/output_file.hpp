// A file that is written aside, and a pair of them that appears whole or not at all.
#pragma once

#include "core/support/descriptor.hpp"
#include "core/support/failure.hpp"
#include "core/support/temporary_files.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mo::core {

// A file without a name until it is moved to PATH, in the folder that PATH was in at the beginning; PATH.tmp-PID where the
// system has no such files. Whoever gives it up before leaves nothing behind. Every error is a Failure (Exit::output) with
// path and reason.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  // `opened`: the folder; null: it is opened here.
  OutputFile(const std::string& folder, std::string name, const Descriptor* opened);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  const std::string& path() const { return path_; }
  const std::string& name() const { return name_; }
  const Descriptor& file() const { return file_; }
  uint64_t size() const { return size_; }

  // Appends.
  void write(std::string_view bytes);
  // The file will have this size: makes a full disk known now, and later writes cheaper. What is not written
  // reads as zeros.
  void reserve(uint64_t bytes);
  // Writes into what was reserved.
  void write_at(uint64_t offset, std::string_view bytes);
  // In place of writing: this is another name of that file. False where the system does not do it.
  bool link_to(const Descriptor&);
  void finish(bool sync);
  // Another folder of that path. Before move_to_path().
  void belong_in(const Descriptor& folder);
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
  Descriptor folder_, file_;
  uint64_t size_ = 0;
  bool moved_ = false;
};

// A folder that is made, with those above it, when it is missing; taken away again unless kept.
class OutputFolder {
 public:
  explicit OutputFolder(std::string path);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  const std::string& path() const { return path_; }
  const Descriptor& opened() const { return opened_; }
  // What another process made, and found empty, it may have taken away meanwhile. False: it is there.
  bool make_again();
  void sync() const;
  void keep() {
    made_.clear();
    remembered_.clear();
  }

 private:
  void make();
  void take_away() noexcept;

  std::string path_;
  Descriptor opened_;
  std::vector<std::string> made_;  // outermost first
  std::deque<TemporaryFile> remembered_;
};

// NAME.xml and NAME.bin in a folder.
class OutputPair {
 public:
  OutputPair(const std::string& folder, const std::string& name);

  OutputFile& xml() { return xml_; }
  OutputFile& bin() { return bin_; }
  // Moves both files to their places. At no time is there a NAME.xml beside another one's NAME.bin: an older
  // pair is set aside first, and put back when anything fails; who interrupts waits until it is done. `sync`:
  // safe against power loss afterwards.
  void commit(bool sync);

 private:
  OutputFolder folder_;
  OutputFile xml_, bin_;
};

// A model name as part of a file name: without separators and control characters, never empty, "." or "..".
std::string file_stem(std::string_view model_name);

}  // namespace mo::core
