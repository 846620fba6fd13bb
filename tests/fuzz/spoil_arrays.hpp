// Spoils a list of arrays of MXNet (.params) at its counts, lengths, forms, dimensions and types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

namespace mo::test {

inline bool is_list_of_arrays(const std::string& s) {
  return s.size() >= 24 && s.compare(0, 8, std::string("\x12\x01\0\0\0\0\0\0", 8)) == 0;
}

// `below(n)` gives a number from 0 to n - 1.
template <class Below>
class ArraysSpoiler {
 public:
  ArraysSpoiler(std::string& bytes, Below below) : s_(bytes), below_(below) {}

  void run() {
    const std::vector<Field> fields = find_fields();
    const Field at = fields[below_(fields.size())], from = fields[below_(fields.size())];
    constexpr int64_t numbers[] = {
        0,   1,       2,     3,         4,         6,         7,         33,         -1,         -2,
        255, 1 << 20, 0x112, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, 0xF993FAC8, 0xF993FAC9, 0xF993FACA};
    int64_t v = numbers[below_(std::size(numbers))];
    if (below_(4) == 0) std::memcpy(&v, s_.data() + from.at, from.width);
    std::memcpy(s_.data() + at.at, &v, at.width);
  }

 private:
  struct Field {
    size_t at, width;
  };

  template <class T>
  T read(size_t at) const {
    T v{};
    std::memcpy(&v, s_.data() + at, sizeof v);
    return v;
  }

  std::vector<Field> find_fields() const {
    constexpr size_t words_of_an_array = 12;  // form, storage, rank, dimensions, device, type
    std::vector<Field> fields = {{0, 8}, {8, 8}, {16, 8}};
    for (size_t at = 24; at + 8 <= s_.size(); ++at) {
      const auto form = read<uint32_t>(at);
      if (form >= 0xF993FAC8 && form <= 0xF993FACA)
        for (size_t k = 0; k < words_of_an_array && at + 4 * k + 4 <= s_.size(); ++k)
          fields.push_back({at + 4 * k, 4});
      const auto length = read<uint64_t>(at);
      if (length > 3 && length < 200 && at + 12 <= s_.size() &&
          (s_.compare(at + 8, 4, "arg:") == 0 || s_.compare(at + 8, 4, "aux:") == 0))
        fields.push_back({at, 8});
    }
    return fields;
  }

  std::string& s_;
  Below below_;
};

}  // namespace mo::test
