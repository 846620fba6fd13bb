#include "apps/plugin_search/elf_library.hpp"

#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>

#include "apps/files/regular_file.hpp"

namespace mo::app::elf {

namespace {

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

}  // namespace

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

Image::Image(const std::string& path) : data_(MAP_FAILED) {
  const RegularFile file(path);
  if (!file.problem.empty()) throw NotALibrary(text("cannot be read: ", file.problem));
  const int fd = file.descriptor.get();
  struct stat status {};
  if (fstat(fd, &status) == 0 && status.st_size > 0) {
    size_ = static_cast<size_t>(status.st_size);
    data_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd, 0);
  }
  if (size_ == 0) throw NotALibrary("is empty");
  if (data_ == MAP_FAILED) throw NotALibrary(text("cannot be mapped: ", std::strerror(errno)));
}

void Image::throw_outside(uint64_t offset, uint64_t count) const {
  throw NotALibrary(
      text("is truncated or damaged: ", count, " bytes at ", offset, " are not among its ", size_));
}

Image::~Image() { munmap(data_, size_); }

std::string_view Image::text_at(uint64_t offset) const {
  const std::string_view rest = bytes(offset, offset > size_ ? 0 : size_ - offset);
  const size_t end = rest.find('\0');
  if (end == std::string_view::npos) throw NotALibrary("has a text that does not end");
  return rest.substr(0, end);
}

Library::Library(const std::string& path) : image_(path) {
  read_header();
  read_dynamic();
}

void Library::read_header() {
  if (!image_.starts_with({ELFMAG, SELFMAG})) throw NotALibrary("is not an ELF file");
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
    if (s.p_filesz != 0) (void)image_.bytes(s.p_offset, s.p_filesz);
  }
}

uint64_t Library::offset_of(uint64_t address) const {
  for (const Segment& s : segments_)
    if (s.p_type == PT_LOAD && address >= s.p_vaddr && address - s.p_vaddr < s.p_filesz)
      return s.p_offset + (address - s.p_vaddr);
  throw NotALibrary("has a damaged dynamic section");
}

void Library::read_dynamic() {
  std::optional<Segment> segment;
  for (const Segment& s : segments_)
    if (s.p_type == PT_DYNAMIC) segment = s;
  if (!segment) throw NotALibrary("has no dynamic section");
  for (uint64_t at = 0; at + sizeof(Dynamic) <= segment->p_filesz; at += sizeof(Dynamic)) {
    const auto entry = image_.at<Dynamic>(segment->p_offset + at);
    if (entry.d_tag == DT_NULL) break;
    dynamic_.push_back(entry);
  }
  for (const int64_t tag : {DT_SYMTAB, DT_STRTAB, DT_GNU_HASH, DT_HASH}) (void)table_of(tag);
}

std::optional<uint64_t> Library::value_of(int64_t tag) const {
  for (auto e = dynamic_.rbegin(); e != dynamic_.rend(); ++e)
    if (e->d_tag == tag) return e->d_un.d_val;
  return std::nullopt;
}

std::optional<uint64_t> Library::table_of(int64_t tag) const {
  const std::optional<uint64_t> address = value_of(tag);
  if (!address) return std::nullopt;
  return offset_of(*address);
}

}  // namespace mo::app::elf
