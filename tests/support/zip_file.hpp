// ZIP files as torch writes them.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mo::test {

// Entries that are stored as they are, their bytes at a multiple of 64, as torch writes them: sizes stand in the
// directory only, and the local header has another extra field.
class ZipFile {
 public:
  ZipFile& add(const std::string& name, std::string_view bytes, uint16_t method = 0) {
    const size_t header = out_.size();
    put<uint32_t>(out_, 0x04034b50);
    put<uint16_t>(out_, 0);
    put<uint16_t>(out_, 0x0808);
    put<uint16_t>(out_, method);
    out_.append(16, '\0');  // time, checksum, sizes: they follow
    put<uint16_t>(out_, static_cast<uint16_t>(name.size()));
    const size_t padding = (64 - (out_.size() + 2 + name.size() + 4) % 64) % 64;
    put<uint16_t>(out_, static_cast<uint16_t>(4 + padding));
    out_ += name + "FB";
    put<uint16_t>(out_, static_cast<uint16_t>(padding));
    out_.append(padding, 'Z');
    out_ += bytes;
    put<uint32_t>(directory_, 0x02014b50);
    directory_.append(6, '\0');
    put<uint16_t>(directory_, method);
    directory_.append(8, '\0');
    put<uint32_t>(directory_, static_cast<uint32_t>(bytes.size()));
    put<uint32_t>(directory_, static_cast<uint32_t>(bytes.size()));
    put<uint16_t>(directory_, static_cast<uint16_t>(name.size()));
    directory_.append(12, '\0');
    put<uint32_t>(directory_, static_cast<uint32_t>(header));
    directory_ += name;
    ++count_;
    return *this;
  }
  std::string bytes() const {
    std::string all = out_ + directory_;
    put<uint32_t>(all, 0x06054b50);
    put<uint32_t>(all, 0);
    put<uint16_t>(all, count_);
    put<uint16_t>(all, count_);
    put<uint32_t>(all, static_cast<uint32_t>(directory_.size()));
    put<uint32_t>(all, static_cast<uint32_t>(out_.size()));
    put<uint16_t>(all, 0);
    return all;
  }

 private:
  template <class T>
  static void put(std::string& to, T v) {
    to.append(reinterpret_cast<const char*>(&v), sizeof v);
  }
  std::string out_, directory_;
  uint16_t count_ = 0;
};

// Names and bytes of the entries of a file that ZipFile, or torch, has made; nothing of others.
inline std::optional<std::vector<std::pair<std::string, std::string>>> zip_entries(std::string_view file) {
  const auto number = [&](size_t at, size_t width) {
    uint64_t v = 0;
    if (at <= file.size() && width <= file.size() - at) std::memcpy(&v, file.data() + at, width);
    return static_cast<size_t>(v);
  };
  if (file.size() < 22 || !file.starts_with("PK\x03\x04")) return std::nullopt;
  const size_t end = file.rfind("PK\x05\x06");
  if (end == std::string_view::npos) return std::nullopt;
  std::vector<std::pair<std::string, std::string>> list;
  for (size_t i = 0, at = number(end + 16, 4); i < number(end + 10, 2); ++i) {
    if (number(at, 4) != 0x02014b50) return std::nullopt;
    const size_t name = number(at + 28, 2), size = number(at + 24, 4), local = number(at + 42, 4);
    const size_t begin = local + 30 + number(local + 26, 2) + number(local + 28, 2);
    if (begin > file.size() || size > file.size() - begin || at + 46 + name > file.size())
      return std::nullopt;
    list.emplace_back(file.substr(at + 46, name), file.substr(begin, size));
    at += 46 + name + number(at + 30, 2) + number(at + 32, 2);
  }
  return list;
}

}  // namespace mo::test
