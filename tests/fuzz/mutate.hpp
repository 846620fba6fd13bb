// Spoils an input, the same way for the same numbers: bytes anywhere and, where the input is one, fields of a
// protobuf message, of its text or of a FlatBuffer, values of JSON, elements of XML, numbers of a list of arrays; of an input
// that is several files, one of them.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "input_parts.hpp"
#include "spoil_arrays.hpp"
#include "spoil_flatbuffer.hpp"
#include "spoil_json.hpp"
#include "spoil_text.hpp"
#include "spoil_xml.hpp"

namespace mo::test {

class Mutator {
 public:
  explicit Mutator(uint64_t seed) : random_(seed) {}

  std::string mutated(std::string input) {
    // Where a byte says which kind of input follows, 0 stands for a file.
    const bool has_kind = input.starts_with('\0');
    if (has_kind) input.erase(0, 1);
    for (size_t n = 1 + below(3); n > 0; --n) spoil(input);
    return has_kind ? '\0' + input : input;
  }

 private:
  void spoil(std::string& input) {
    const auto limited = [this](size_t limit) { return below(limit); };
    const bool by_format = below(8) != 0;
    if (by_format)
      if (auto cut = parts_of(input)) {
        spoil(cut->parts[below(cut->parts.size())]);
        input = cut->join(cut->parts);
        return;
      }
    if (by_format && is_flatbuffer(input))
      FlatBufferSpoiler(input, limited).run();
    else if (by_format && is_json(input))
      JsonSpoiler(input, limited).run();
    else if (by_format && is_xml(input))
      XmlSpoiler(input, limited).run();
    else if (by_format && is_list_of_arrays(input))
      ArraysSpoiler(input, limited).run();
    else if (by_format && is_text_message(input))
      TextSpoiler(input, limited).run();
    else if (below(2) == 0)
      spoil_field(input, 0, input.size(), 0);
    else
      spoil_bytes(input);
  }

  struct Field {
    size_t begin, payload, end;
    uint32_t type;
  };

  size_t below(size_t n) { return n == 0 ? 0 : static_cast<size_t>(random_() % n); }

  void spoil_bytes(std::string& s) {
    const size_t at = below(s.size());
    switch (below(5)) {
      case 0:
        if (!s.empty()) s[at] = static_cast<char>(s[at] ^ (1 << below(8)));
        break;
      case 1:
        if (!s.empty()) s[at] = static_cast<char>(random_());
        break;
      case 2:
        s.insert(at, 1 + below(8), static_cast<char>(random_()));
        break;
      case 3:
        s.erase(at, 1 + below(16));
        break;
      default:
        s.resize(at);
    }
  }

  static bool read_varint(const std::string& s, size_t& at, size_t end, uint64_t& v) {
    v = 0;
    for (unsigned shift = 0; at < end && shift < 64; shift += 7) {
      const auto b = static_cast<unsigned char>(s[at++]);
      v |= uint64_t{b & 0x7fU} << shift;
      if (b < 0x80) return true;
    }
    return false;
  }

  // The fields of s[begin, end); empty when that is no message.
  static std::vector<Field> fields_of(const std::string& s, size_t begin, size_t end) {
    std::vector<Field> list;
    for (size_t at = begin; at < end;) {
      Field f{at, at, at, 0};
      uint64_t key = 0, length = 0;
      if (!read_varint(s, at, end, key) || (key >> 3) == 0 || (key >> 3) > 1000) return {};
      f.type = static_cast<uint32_t>(key & 7);
      f.payload = at;
      if (f.type == 0) {
        if (!read_varint(s, at, end, length)) return {};
      } else if (f.type == 2) {
        if (!read_varint(s, at, end, length) || length > end - at) return {};
        f.payload = at;
        at += static_cast<size_t>(length);
      } else if (f.type == 1 || f.type == 5) {
        const size_t width = f.type == 1 ? 8 : 4;
        if (width > end - at) return {};
        at += width;
      } else {
        return {};
      }
      f.end = at;
      list.push_back(f);
    }
    return list;
  }

  static std::string varint(uint64_t v) {
    std::string out;
    for (; v >= 0x80; v >>= 7) out += static_cast<char>(v | 0x80);
    return out + static_cast<char>(v);
  }

  // True: `s` has changed. Lengths around the place are written anew, so that only one thing is wrong.
  bool spoil_field(std::string& s, size_t begin, size_t end, int depth) {
    const auto fields = fields_of(s, begin, end);
    if (fields.empty()) return false;
    const Field f = fields[below(fields.size())];
    if (f.type == 2 && depth < 12 && below(5) != 0) {
      std::string inside = s.substr(f.payload, f.end - f.payload);
      if (spoil_field(inside, 0, inside.size(), depth + 1)) {
        size_t at = f.begin;
        uint64_t key = 0;
        (void)read_varint(s, at, f.end, key);
        s.replace(f.begin, f.end - f.begin, varint(key) + varint(inside.size()) + inside);
        return true;
      }
    }
    const std::string whole = s.substr(f.begin, f.end - f.begin);
    const Field other = fields[below(fields.size())];
    switch (below(5)) {
      case 0:  // dropped
        s.erase(f.begin, f.end - f.begin);
        break;
      case 1:  // there twice
        s.insert(f.begin, whole);
        break;
      case 2:  // another one's content
        s.replace(f.begin, f.end - f.begin, s.substr(other.begin, other.end - other.begin));
        break;
      case 3:  // another number or wire type
        s[f.begin] = static_cast<char>(static_cast<unsigned char>(s[f.begin]) ^ (1U << below(7)));
        break;
      default:
        if (f.type == 0) {
          constexpr uint64_t limits[] = {0,        1, 2, 7, 8, 127, 1U << 31, UINT64_MAX, uint64_t{1} << 40,
                                         INT64_MAX};
          size_t at = f.begin;
          uint64_t key = 0;
          (void)read_varint(s, at, f.end, key);
          s.replace(f.begin, f.end - f.begin, varint(key) + varint(limits[below(std::size(limits))]));
        } else if (f.end > f.payload) {
          s[f.payload + below(f.end - f.payload)] = static_cast<char>(random_());
        }
    }
    return true;
  }

  std::mt19937_64 random_;
};

}  // namespace mo::test
