// The parts of an ELF library that every look into one begins with.
#pragma once

#include <elf.h>
#include <link.h>

#include <cstring>
#include <mo/text.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace mo::app::elf {

using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);
using Section = ElfW(Shdr);
using Dynamic = ElfW(Dyn);
using Symbol = ElfW(Sym);

struct NotALibrary : std::runtime_error {
  using runtime_error::runtime_error;
};

std::string machine_name(uint16_t machine);

// The file's bytes; every access is checked, as nothing in it can be trusted.
class Image {
 public:
  explicit Image(const std::string& path);
  ~Image();
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  size_t size() const { return size_; }
  bool starts_with(std::string_view magic) const {
    return size_ >= magic.size() && std::memcmp(data_, magic.data(), magic.size()) == 0;
  }
  template <class T>
  T at(uint64_t offset) const {
    T t;
    std::memcpy(&t, bytes(offset, sizeof(T)).data(), sizeof t);
    return t;
  }
  std::string_view bytes(uint64_t offset, uint64_t count) const {
    if (offset > size_ || size_ - offset < count) throw_outside(offset, count);
    return {static_cast<const char*>(data_) + offset, count};
  }
  bool is_text(uint64_t offset, std::string_view wanted) const {
    if (offset > size_ || size_ - offset < wanted.size() + 1) return false;
    const char* s = static_cast<const char*>(data_) + offset;
    return std::memcmp(s, wanted.data(), wanted.size()) == 0 && s[wanted.size()] == '\0';
  }
  // Up to its NUL, which has to be in the file.
  std::string_view text_at(uint64_t offset) const;

 private:
  [[noreturn]] void throw_outside(uint64_t offset, uint64_t count) const;

  void* data_;
  size_t size_ = 0;
};

// A library for this machine: its header and segments have been checked.
class Library {
 public:
  explicit Library(const std::string& path);

  const Image& image() const { return image_; }
  const Header& header() const { return header_; }
  const std::vector<Segment>& segments() const { return segments_; }
  // The dynamic section, in the order of the file.
  const std::vector<Dynamic>& dynamic() const { return dynamic_; }
  // The last entry with this tag.
  std::optional<uint64_t> value_of(int64_t tag) const;
  // Where an address lies in the file.
  uint64_t offset_of(uint64_t address) const;
  // The same for the address that is an entry's value.
  std::optional<uint64_t> table_of(int64_t tag) const;

 private:
  void read_header();
  void read_dynamic();

  Image image_;
  Header header_{};
  std::vector<Segment> segments_;
  std::vector<Dynamic> dynamic_;
};

}  // namespace mo::app::elf
