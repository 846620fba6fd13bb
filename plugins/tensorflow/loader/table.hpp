// LevelDB's table: sorted keys with values, which checkpoints are indexed with. Read here and not by
// libleveldb, which takes the sizes in a damaged file for granted when it allocates, and wants to be given a
// file system.
#pragma once

#include "loader/body.hpp"

#include <deque>
#include <string>

namespace mo::tensorflow {

class Table {
 public:
  struct Entry {
    std::string key;
    Bytes value;  // of the file, or of an unpacked block
  };
  // `name` is for messages. Errors: anything that does not fit, checksums included.
  Table(Bytes file, std::string_view name);
  // In the order of their keys.
  const std::vector<Entry>& entries() const { return entries_; }
  const Entry* find(std::string_view key) const;
  // Whether the last bytes of a file are those of a table.
  static bool is_table(Bytes file);

 private:
  struct Handle {
    uint64_t offset = 0, size = 0;
  };
  Bytes read_block(const Handle&);
  void read_entries(Bytes block, std::vector<Entry>&);
  Handle parse_handle(Bytes) const;

  Bytes file_;
  std::string name_;
  std::deque<std::string> unpacked_;
  uint64_t key_bytes_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace mo::tensorflow
