#include "core/host/elf.hpp"

#include "core/host/elf_library.hpp"

namespace mo::core {

namespace {

// The way the system's loader finds a function: by a hash table.
class FunctionTable {
 public:
  explicit FunctionTable(const elf::Library& library)
      : image_(library.image()),
        symbols_(library.table_of(DT_SYMTAB).value_or(0)),
        strings_(library.table_of(DT_STRTAB).value_or(0)),
        gnu_hash_(library.table_of(DT_GNU_HASH).value_or(0)),
        hash_(library.table_of(DT_HASH).value_or(0)) {}

  bool defines(std::string_view name) const {
    return gnu_hash_ != 0 ? find_by_gnu_hash(name) : hash_ != 0 && find_by_count(name);
  }

 private:
  bool is_function(uint64_t index, std::string_view name) const {
    const auto s = image_.at<elf::Symbol>(symbols_ + index * sizeof(elf::Symbol));
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

  const elf::Image& image_;
  uint64_t symbols_, strings_, gnu_hash_, hash_;
};

// Header fields that tell where sections lie: for tools, and what stripping a file changes.
std::string without_sections(std::string_view bytes) {
  std::string out(bytes);
  elf::Header header;
  std::memcpy(&header, out.data(), sizeof header);
  header.e_shoff = 0;
  header.e_shentsize = header.e_shnum = header.e_shstrndx = 0;
  std::memcpy(out.data(), &header, sizeof header);
  return out;
}

}  // namespace

ElfLook look_for_function(const std::string& path, std::string_view function) {
  ElfLook look;
  try {
    const elf::Library library(path);
    look.has_function = FunctionTable(library).defines(function);
    look.is_library = true;
  } catch (const elf::NotALibrary& e) {
    look.problem = e.what();
  }
  return look;
}

bool visit_loaded(const std::string& path, const std::function<void(const void*, size_t)>& take,
                  std::string& problem) {
  try {
    const elf::Library library(path);
    // Segments may lie over one another in a hostile file, each as large as the file.
    uint64_t budget = 2 * uint64_t{library.image().size()};
    for (const elf::Segment& s : library.segments()) {
      if (s.p_type != PT_LOAD) continue;
      if (s.p_filesz > budget) throw elf::NotALibrary("has segments that overlap");
      budget -= s.p_filesz;
      const uint64_t place[] = {s.p_vaddr, s.p_memsz, s.p_filesz, s.p_flags};
      take(place, sizeof place);
      std::string_view bytes = library.image().bytes(s.p_offset, s.p_filesz);
      if (s.p_offset == 0 && bytes.size() >= sizeof(elf::Header)) {
        take(without_sections(bytes.substr(0, sizeof(elf::Header))).data(), sizeof(elf::Header));
        bytes.remove_prefix(sizeof(elf::Header));
      }
      take(bytes.data(), bytes.size());
    }
    return true;
  } catch (const elf::NotALibrary& e) {
    problem = e.what();
    return false;
  }
}

}  // namespace mo::core
