// Two files that appear together or not at all.
#pragma once

#include <deque>
#include <vector>

#include "apps/files/output_file.hpp"

namespace mo::app {

// A folder that is made, with those above it, when it is missing; taken away again unless kept.
class OutputFolder {
 public:
  explicit OutputFolder(std::string path);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  const std::string& path() const { return path_; }
  const core::Descriptor& opened() const { return opened_; }
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
  core::Descriptor opened_;
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

}  // namespace mo::app
