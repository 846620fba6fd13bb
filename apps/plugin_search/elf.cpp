#include "apps/plugin_search/elf.hpp"

#include "apps/plugin_search/elf_library.hpp"

namespace mo::app {

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

}  // namespace mo::app
