// Spoils a FlatBuffer where it has something to say: fields of its tables and elements of its vectors, so
// that most of what comes out still passes the Verifier.
#pragma once

#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

namespace mo::test {

inline bool is_flatbuffer(const std::string& s) { return s.size() >= 16 && s.compare(4, 4, "TFL3") == 0; }

// `below(n)` gives a number from 0 to n - 1.
template <class Below>
class FlatBufferSpoiler {
 public:
  FlatBufferSpoiler(std::string& bytes, Below below) : s_(bytes), below_(below) {}

  void run() {
    const std::vector<size_t> fields = find_fields();
    if (fields.empty()) return;
    const size_t at = fields[below_(fields.size())];
    switch (below_(6)) {
      case 0:  // what another field has
        copy(fields[below_(fields.size())], at, size_t{1} << below_(3));
        break;
      case 1:  // an element of the vector that it refers to
        if (const size_t element = element_of(at)) return put(element);
        [[fallthrough]];
      default:
        put(at);
    }
  }

 private:
  template <class T>
  T read(size_t at) const {
    T v{};
    if (at + sizeof v <= s_.size()) std::memcpy(&v, s_.data() + at, sizeof v);
    return v;
  }

  // Places of fields, of everything that looks like a table.
  std::vector<size_t> find_fields() const {
    std::vector<size_t> fields;
    for (size_t table = 8; table + 4 <= s_.size(); table += 4) {
      const auto back = static_cast<int64_t>(read<int32_t>(table));
      const auto vtable = static_cast<int64_t>(table) - back;
      if (back == 0 || vtable < 4 || vtable + 4 > static_cast<int64_t>(s_.size())) continue;
      const auto at = static_cast<size_t>(vtable);
      const size_t size = read<uint16_t>(at), inside = read<uint16_t>(at + 2);
      if (size < 6 || size % 2 != 0 || size > 80 || inside < 4 || inside > 256 || at + size > s_.size())
        continue;
      for (size_t entry = 4; entry < size; entry += 2) {
        const size_t offset = read<uint16_t>(at + entry);
        if (offset >= 4 && offset < inside && table + offset < s_.size()) fields.push_back(table + offset);
      }
    }
    return fields;
  }

  size_t element_of(size_t field) const {
    const size_t vector = field + read<uint32_t>(field);
    const size_t count = read<uint32_t>(vector);
    if (vector + 8 > s_.size() || count == 0 || count > 64) return 0;
    const size_t at = vector + 4 + 4 * below_(count);
    return at < s_.size() ? at : 0;
  }

  void copy(size_t from, size_t to, size_t width) {
    for (size_t k = 0; k < width && from + k < s_.size() && to + k < s_.size(); ++k)
      s_[to + k] = s_[from + k];
  }

  // Mostly a byte, which is enough for indices, types and small numbers.
  void put(size_t at) {
    constexpr int32_t numbers[] = {0,   1,  2,  3,   4,     5,         7,         8,      127,
                                   128, -1, -2, 255, 65535, INT32_MAX, INT32_MIN, 1 << 20};
    const int32_t v = numbers[below_(std::size(numbers))];
    const size_t width = below_(3) == 0 ? sizeof v : 1;
    if (at + width <= s_.size()) std::memcpy(s_.data() + at, &v, width);
  }

  std::string& s_;
  Below below_;
};

}  // namespace mo::test
