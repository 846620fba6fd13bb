#include "core/host/elf.hpp"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <mo/text.hpp>
#include <optional>
#include <stdexcept>

namespace mo::core {

namespace {

using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);
using Dynamic = ElfW(Dyn);
using ElfSymbol = ElfW(Sym);

constexpr unsigned char our_class = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
#if defined(__x86_64__)
constexpr uint16_t our_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr uint16_t our_machine = EM_AARCH64;
#elif defined(__riscv)
constexpr uint16_t our_machine = EM_RISCV;
#elif defined(__powerpc64__)
constexpr uint16_t our_machine = EM_PPC64;
#else
constexpr uint16_t our_machine = EM_NONE;  // any will do
#endif

std::string machine_name(uint16_t machine) {
  switch (machine) {
    case EM_X86_64:
      return "x86-64";
    case EM_AARCH64:
      return "aarch64";
    case EM_386:
      return "x86 (32 bits)";
    case EM_ARM:
      return "arm (32 bits)";
    case EM_RISCV:
      return "riscv";
    case EM_PPC64:
      return "ppc64";
    default:
      return text("machine ", machine);
  }
}

struct NotALibrary : std::runtime_error {
  using runtime_error::runtime_error;
};

// The file's bytes; every access is checked, as nothing in it can be trusted.
class Image {
 public:
  explicit Image(const std::string& path) {
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) throw NotALibrary(text("cannot be read: ", std::strerror(errno)));
    struct stat status {};
    if (fstat(fd, &status) == 0 && status.st_size > 0) {
      size_ = static_cast<size_t>(status.st_size);
      data_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd, 0);
    }
    close(fd);
    if (size_ == 0) throw NotALibrary("is empty");
    if (data_ == MAP_FAILED) throw NotALibrary(text("cannot be mapped: ", std::strerror(errno)));
  }
  ~Image() { munmap(data_, size_); }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  size_t size() const { return size_; }
  bool starts_with(std::string_view magic) const {
    return size_ >= magic.size() && std::memcmp(data_, magic.data(), magic.size()) == 0;
  }
  template <class T>
  T at(uint64_t offset) const {
    if (offset > size_ || size_ - offset < sizeof(T)) throw NotALibrary("is truncated");
    T t;
    std::memcpy(&t, static_cast<const char*>(data_) + offset, sizeof t);
    return t;
  }
  bool is_text(uint64_t offset, std::string_view wanted) const {
    if (offset > size_ || size_ - offset < wanted.size() + 1) return false;
    const char* s = static_cast<const char*>(data_) + offset;
    return std::memcmp(s, wanted.data(), wanted.size()) == 0 && s[wanted.size()] == '\0';
  }

 private:
  void* data_ = MAP_FAILED;
  size_t size_ = 0;
};

class Library {
 public:
  explicit Library(const std::string& path) : image_(path) {
    read_header();
    read_dynamic();
  }

  bool defines_function(std::string_view name) const {
    return gnu_hash_ != 0 ? find_by_gnu_hash(name) : hash_ != 0 && find_by_count(name);
  }

 private:
  void read_header() {
    if (!image_.starts_with({ELFMAG, SELFMAG})) throw NotALibrary("is no ELF file");
    header_ = image_.at<Header>(0);
    if (header_.e_ident[EI_CLASS] != our_class || header_.e_ident[EI_DATA] != ELFDATA2LSB ||
        (our_machine != EM_NONE && header_.e_machine != our_machine))
      throw NotALibrary(
          text("is for ", machine_name(header_.e_machine), ", this host is for ", machine_name(our_machine)));
    if (header_.e_type != ET_DYN) throw NotALibrary("is an ELF file, but no shared library");
    if (header_.e_phentsize != sizeof(Segment)) throw NotALibrary("has a damaged header");
    for (size_t i = 0; i < header_.e_phnum; ++i) {
      segments_.push_back(image_.at<Segment>(header_.e_phoff + i * sizeof(Segment)));
      // The loader would map it all the same, and die when it touches what is not there.
      const Segment& s = segments_.back();
      if (s.p_offset > image_.size() || s.p_filesz > image_.size() - s.p_offset)
        throw NotALibrary("is truncated");
    }
  }

  uint64_t offset_of(uint64_t address) const {
    for (const Segment& s : segments_)
      if (s.p_type == PT_LOAD && address >= s.p_vaddr && address - s.p_vaddr < s.p_filesz)
        return s.p_offset + (address - s.p_vaddr);
    throw NotALibrary("has a damaged dynamic section");
  }

  void read_dynamic() {
    std::optional<Segment> dynamic;
    for (const Segment& s : segments_)
      if (s.p_type == PT_DYNAMIC) dynamic = s;
    if (!dynamic) throw NotALibrary("has no dynamic section");
    for (uint64_t at = 0; at + sizeof(Dynamic) <= dynamic->p_filesz; at += sizeof(Dynamic)) {
      const auto entry = image_.at<Dynamic>(dynamic->p_offset + at);
      if (entry.d_tag == DT_NULL) break;
      if (entry.d_tag == DT_SYMTAB) symbols_ = offset_of(entry.d_un.d_ptr);
      if (entry.d_tag == DT_STRTAB) strings_ = offset_of(entry.d_un.d_ptr);
      if (entry.d_tag == DT_GNU_HASH) gnu_hash_ = offset_of(entry.d_un.d_ptr);
      if (entry.d_tag == DT_HASH) hash_ = offset_of(entry.d_un.d_ptr);
    }
  }

  bool is_function(uint64_t index, std::string_view name) const {
    const auto s = image_.at<ElfSymbol>(symbols_ + index * sizeof(ElfSymbol));
    const auto type = ELF64_ST_TYPE(s.st_info);
    return s.st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_GNU_IFUNC) &&
           image_.is_text(strings_ + s.st_name, name);
  }

  bool find_by_gnu_hash(std::string_view name) const {
    const auto buckets = image_.at<uint32_t>(gnu_hash_), first = image_.at<uint32_t>(gnu_hash_ + 4),
               bloom_words = image_.at<uint32_t>(gnu_hash_ + 8);
    if (buckets == 0) return false;
    const uint64_t bucket_table = gnu_hash_ + 16 + uint64_t{bloom_words} * sizeof(ElfW(Addr));
    const uint64_t chain_table = bucket_table + uint64_t{buckets} * 4;
    uint32_t hash = 5381;
    for (const char c : name) hash = hash * 33 + static_cast<unsigned char>(c);
    uint64_t index = image_.at<uint32_t>(bucket_table + uint64_t{hash % buckets} * 4);
    if (index < first) return false;
    for (;; ++index) {  // ends with the chain, or with the file
      const auto entry = image_.at<uint32_t>(chain_table + (index - first) * 4);
      if ((entry | 1U) == (hash | 1U) && is_function(index, name)) return true;
      if ((entry & 1U) != 0) return false;
    }
  }

  bool find_by_count(std::string_view name) const {
    const auto count = image_.at<uint32_t>(hash_ + 4);
    for (uint64_t i = 0; i < count; ++i)
      if (is_function(i, name)) return true;
    return false;
  }

  Image image_;
  Header header_{};
  std::vector<Segment> segments_;
  uint64_t symbols_ = 0, strings_ = 0, gnu_hash_ = 0, hash_ = 0;
};

}  // namespace

ElfLook look_for_function(const std::string& path, std::string_view function) {
  ElfLook look;
  try {
    look.has_function = Library(path).defines_function(function);
    look.is_library = true;
  } catch (const NotALibrary& e) {
    look.problem = e.what();
  }
  return look;
}

}  // namespace mo::core
