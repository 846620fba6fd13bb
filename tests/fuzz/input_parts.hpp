// Inputs that are several files, or entries, in one: each part can be spoilt as what it is, and what says how
// long it is stays right.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spoil_text.hpp"
#include "spoil_xml.hpp"
#include "zip_file.hpp"

namespace mo::test {

struct InputParts {
  std::vector<std::string> parts;
  std::function<std::string(const std::vector<std::string>&)> join;
};

// Text and, behind a zero byte, the weights: caffe_text_fuzz, ir_loader_fuzz.
inline std::optional<InputParts> text_and_weights(const std::string& s) {
  const size_t end = s.find('\0');
  if (end == std::string::npos) return std::nullopt;
  if (const std::string head = s.substr(0, end); !is_text_message(head) && !is_xml(head)) return std::nullopt;
  return InputParts{{s.substr(0, end), s.substr(end + 1)}, [](const auto& p) { return p[0] + '\0' + p[1]; }};
}

// Two sizes in 4 bytes each, with what they are of, and the rest: tf_saved_model_fuzz.
inline std::optional<InputParts> two_sized_and_rest(const std::string& s) {
  std::vector<std::string> parts;
  size_t at = 0;
  for (int i = 0; i < 2; ++i) {
    uint32_t n = 0;
    if (s.size() - at < sizeof n) return std::nullopt;
    std::memcpy(&n, s.data() + at, sizeof n);
    at += sizeof n;
    if ((i == 0 && n == 0) || n > s.size() - at) return std::nullopt;
    parts.push_back(s.substr(at, n));
    at += n;
  }
  parts.push_back(s.substr(at));
  return InputParts{std::move(parts), [](const auto& p) {
                      std::string out;
                      for (size_t i = 0; i < 2; ++i) {
                        const auto n = static_cast<uint32_t>(p[i].size());
                        out.append(reinterpret_cast<const char*>(&n), sizeof n) += p[i];
                      }
                      return out + p[2];
                    }};
}

// A kind of 1 to 3, keys and values up to an empty one of each, and the shard: tf_checkpoint_fuzz.
inline std::optional<InputParts> table_and_shard(const std::string& s) {
  if (s.empty() || s[0] < 1 || s[0] > 3) return std::nullopt;
  std::vector<std::string> parts;
  size_t at = 1;
  const auto take = [&](size_t width) {
    size_t n = 0;
    if (s.size() - at < width) return false;
    std::memcpy(&n, s.data() + at, width);
    at += width;
    if (n > s.size() - at) return false;
    parts.push_back(s.substr(at, n));
    at += n;
    return true;
  };
  for (;;) {
    if (!take(1) || !take(2)) return std::nullopt;
    if (parts.back().empty() && parts[parts.size() - 2].empty()) break;
  }
  parts.push_back(s.substr(at));
  return InputParts{std::move(parts), [kind = s[0]](const auto& p) {
                      std::string out(1, kind);
                      for (size_t i = 0; i + 1 < p.size(); ++i) {
                        const size_t width = i % 2 == 0 ? 1 : 2;
                        const size_t n = std::min<size_t>(p[i].size(), width == 1 ? 0xFF : 0xFFFF);
                        out.append(reinterpret_cast<const char*>(&n), width).append(p[i], 0, n);
                      }
                      return out + p.back();
                    }};
}

// The entries of an archive: pytorch_loader_fuzz.
inline std::optional<InputParts> entries(const std::string& s) {
  const auto list = zip_entries(s);
  if (!list || list->empty()) return std::nullopt;
  InputParts cut;
  for (const auto& [name, bytes] : *list) cut.parts.push_back(bytes);
  cut.join = [list](const std::vector<std::string>& parts) {
    ZipFile zip;
    for (size_t i = 0; i < parts.size(); ++i) zip.add((*list)[i].first, parts[i]);
    return zip.bytes();
  };
  return cut;
}

inline std::optional<InputParts> parts_of(const std::string& s) {
  for (const auto how : {entries, text_and_weights, two_sized_and_rest, table_and_shard})
    if (auto found = how(s)) return found;
  return std::nullopt;
}

}  // namespace mo::test
