// A ZIP file whose entries are stored as they are, also within one.
#pragma once

#include <mo/tensor.hpp>

#include <map>
#include <string>
#include <string_view>

namespace mo::pytorch {

using Bytes = std::string_view;

class Archive {
 public:
  struct Entry {
    uint64_t header = 0;  // where its local header is
    uint64_t size = 0;
    bool is_stored = true;
  };
  // Bytes of the file.
  struct Range {
    uint64_t offset = 0, size = 0;
  };

  // That lies in a range of the file; `name` is for messages.
  Archive(Context c, const File& file, Range place, std::string name);
  const std::map<std::string, Entry, std::less<>>& entries() const { return entries_; }
  bool has(std::string_view entry) const { return entries_.find(entry) != entries_.end(); }
  // Error when it is not there, or compressed.
  Range range(std::string_view entry) const;
  Bytes bytes(std::string_view entry) const;

 private:
  void read_directory(Bytes directory, uint64_t count);
  Bytes part(uint64_t offset, uint64_t size, std::string_view what) const;

  Context c_;
  const File& file_;
  Range place_;
  std::string name_;
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace mo::pytorch
