// Everything that a library's dynamic section and notes tell.
#include <algorithm>
#include <map>

#include "apps/known_plugins/elf_file.hpp"
#include "apps/known_plugins/hex.hpp"
#include "apps/plugin_search/elf_library.hpp"
#include "core/registry/refusal.hpp"

namespace mo::app {

namespace {

using elf::NotALibrary;

// Texts of a hostile file may be one long text, pointed to from everywhere.
class TextBudget {
 public:
  explicit TextBudget(uint64_t file_size) : left_(4 * file_size + 4096) {}
  std::string take(std::string_view s) {
    if (s.size() > left_) throw NotALibrary("has more text than it can hold");
    left_ -= s.size();
    return std::string(s);
  }

 private:
  uint64_t left_;
};

class DynamicReader {
 public:
  explicit DynamicReader(const elf::Library& library)
      : library_(library),
        image_(library.image()),
        budget_(image_.size()),
        strings_(library.table_of(DT_STRTAB)) {}

  void read(ElfFile& out) {
    for (const elf::Dynamic& entry : library_.dynamic()) {
      if (entry.d_tag == DT_NEEDED) out.needed.push_back(string(entry.d_un.d_val));
      if (entry.d_tag == DT_SONAME) out.soname = string(entry.d_un.d_val);
      if (entry.d_tag == DT_RPATH) out.rpath = string(entry.d_un.d_val);
      if (entry.d_tag == DT_RUNPATH) out.runpath = string(entry.d_un.d_val);
      if (entry.d_tag == DT_TEXTREL) out.text_relocations = true;
      if (entry.d_tag == DT_FLAGS && (entry.d_un.d_val & DF_TEXTREL) != 0) out.text_relocations = true;
    }
    read_needed_versions(out);
    read_defined_versions();
    read_symbols(out);
  }

 private:
  struct Version {
    std::string library, name;
  };

  std::string string(uint64_t offset) {
    if (!strings_ || offset > image_.size()) throw NotALibrary("has a damaged dynamic section");
    return budget_.take(image_.text_at(*strings_ + offset));
  }

  // Lists of versions are chains of offsets that may be made to go on and on.
  void count_link() {
    if (++links_ > image_.size() / sizeof(ElfW(Vernaux)))
      throw NotALibrary("has a damaged table of versions");
  }

  void read_needed_versions(ElfFile& out) {
    const std::optional<uint64_t> table = library_.table_of(DT_VERNEED);
    uint64_t at = table.value_or(0);
    for (uint64_t n = table ? library_.value_of(DT_VERNEEDNUM).value_or(0) : 0; n > 0; --n) {
      count_link();
      const auto need = image_.at<ElfW(Verneed)>(at);
      const std::string library = string(need.vn_file);
      uint64_t aux_at = at + need.vn_aux;
      for (uint32_t k = 0; k < need.vn_cnt; ++k) {
        count_link();
        const auto aux = image_.at<ElfW(Vernaux)>(aux_at);
        const Version v{budget_.take(library), string(aux.vna_name)};
        out.versions.push_back({v.library, v.name});
        versions_[aux.vna_other & 0x7fffU] = v;
        if (aux.vna_next == 0) break;
        aux_at += aux.vna_next;
      }
      if (need.vn_next == 0) break;
      at += need.vn_next;
    }
  }

  void read_defined_versions() {
    const std::optional<uint64_t> table = library_.table_of(DT_VERDEF);
    uint64_t at = table.value_or(0);
    for (uint64_t n = table ? library_.value_of(DT_VERDEFNUM).value_or(0) : 0; n > 0; --n) {
      count_link();
      const auto def = image_.at<ElfW(Verdef)>(at);
      if (def.vd_cnt != 0 && (def.vd_flags & VER_FLG_BASE) == 0)
        versions_[def.vd_ndx & 0x7fffU] = {{}, string(image_.at<ElfW(Verdaux)>(at + def.vd_aux).vda_name)};
      if (def.vd_next == 0) break;
      at += def.vd_next;
    }
  }

  // No field says how many symbols there are. The hash tables do, and so do the sections while they are
  // there.
  uint64_t symbol_count() const {
    uint64_t count = 0;
    if (const auto hash = library_.table_of(DT_HASH)) count = image_.at<uint32_t>(*hash + 4);
    if (const auto hash = library_.table_of(DT_GNU_HASH)) count = std::max(count, count_by_gnu_hash(*hash));
    if (count == 0) count = count_by_sections();
    return count;
  }

  uint64_t count_by_gnu_hash(uint64_t table) const {
    const auto buckets = image_.at<uint32_t>(table), first = image_.at<uint32_t>(table + 4),
               bloom_words = image_.at<uint32_t>(table + 8);
    const uint64_t bucket_table = table + 16 + uint64_t{bloom_words} * sizeof(ElfW(Addr));
    const uint64_t chain_table = bucket_table + uint64_t{buckets} * 4;
    uint64_t last = 0;
    for (uint64_t b = 0; b < buckets; ++b)
      last = std::max<uint64_t>(last, image_.at<uint32_t>(bucket_table + b * 4));
    if (last < first) return 0;  // nothing is defined, and what is needed is not counted here
    while ((image_.at<uint32_t>(chain_table + (last - first) * 4) & 1U) == 0) ++last;
    return last + 1;
  }

  uint64_t count_by_sections() const {
    const elf::Header& h = library_.header();
    const std::optional<uint64_t> symbols = library_.table_of(DT_SYMTAB);
    if (!symbols || h.e_shentsize != sizeof(elf::Section)) return 0;
    for (uint64_t i = 0; i < h.e_shnum; ++i) {
      const uint64_t at = h.e_shoff + i * sizeof(elf::Section);
      if (at > image_.size() || image_.size() - at < sizeof(elf::Section)) return 0;  // only tools need them
      const auto s = image_.at<elf::Section>(at);
      if (s.sh_type == SHT_DYNSYM && s.sh_offset == *symbols) return s.sh_size / sizeof(elf::Symbol);
    }
    return 0;
  }

  void read_symbols(ElfFile& out) {
    const std::optional<uint64_t> table = library_.table_of(DT_SYMTAB);
    const std::optional<uint64_t> versions = library_.table_of(DT_VERSYM);
    const uint64_t count = table ? symbol_count() : 0;
    for (uint64_t i = 1; i < count; ++i) {
      const auto raw = image_.at<elf::Symbol>(*table + i * sizeof(elf::Symbol));
      const auto binding = ELF64_ST_BIND(raw.st_info), type = ELF64_ST_TYPE(raw.st_info);
      const auto visibility = ELF64_ST_VISIBILITY(raw.st_other);
      if (binding == STB_LOCAL || visibility == STV_HIDDEN || visibility == STV_INTERNAL) continue;
      ElfSymbol s;
      s.name = string(raw.st_name);
      s.weak = binding == STB_WEAK;
      s.unique = binding == STB_GNU_UNIQUE;
      s.function = type == STT_FUNC || type == STT_GNU_IFUNC;
      if (versions) {
        const auto v = versions_.find(image_.at<uint16_t>(*versions + i * 2) & 0x7fffU);
        if (v != versions_.end()) {
          s.library = budget_.take(v->second.library);
          s.version = budget_.take(v->second.name);
        }
      }
      if (raw.st_shndx == SHN_UNDEF)
        out.imports.push_back(std::move(s));
      else if (raw.st_shndx != SHN_ABS || s.name != s.version)  // else: the name of a version itself
        out.exports.push_back(std::move(s));
    }
    const auto by_name = [](const ElfSymbol& a, const ElfSymbol& b) {
      return std::tie(a.name, a.version) < std::tie(b.name, b.version);
    };
    std::sort(out.imports.begin(), out.imports.end(), by_name);
    std::sort(out.exports.begin(), out.exports.end(), by_name);
  }

  const elf::Library& library_;
  const elf::Image& image_;
  TextBudget budget_;
  std::optional<uint64_t> strings_;
  std::map<uint16_t, Version> versions_;
  uint64_t links_ = 0;
};

// Content of our note: four numbers (in type 1, of the first candidate of ABI 1.0, three), two texts with
// their NUL, and nothing else.
void read_our_note(uint32_t type, std::string_view content, ElfFile& out) {
  uint32_t abi[4]{};
  const size_t numbers = (type == 1 ? 3 : 4) * sizeof abi[0];
  if (content.size() < numbers) {
    out.note_problem =
        text("the note of mo-host has ", content.size(), " bytes; expected at least ", numbers);
    return;
  }
  std::memcpy(abi, content.data(), numbers);
  content.remove_prefix(numbers);
  const size_t id_end = content.find('\0');
  const size_t version_end = id_end == std::string_view::npos ? id_end : content.find('\0', id_end + 1);
  if (version_end == std::string_view::npos || version_end + 1 != content.size()) {
    out.note_problem = "the note of mo-host is damaged: expected an id and a version, each with a NUL";
    return;
  }
  out.note = PluginNote{abi[0],
                        abi[1],
                        abi[2],
                        abi[3],
                        std::string(content.substr(0, id_end)),
                        std::string(content.substr(id_end + 1, version_end - id_end - 1))};
}

void take_note(const std::string_view owner, uint32_t type, std::string_view content, ElfFile& out) {
  out.notes.push_back({std::string(owner), type, content.size()});
  if (owner == "mo-host" && (type == 1 || type == 2) && !out.note) read_our_note(type, content, out);
  if (owner == "GNU" && type == NT_GNU_BUILD_ID && out.build_id.empty()) out.build_id = hex_of(content);
}

void read_notes_in(std::string_view rest, uint64_t alignment, ElfFile& out) {
  const uint64_t align = alignment == 8 ? 8 : 4;
  const auto padded = [&](uint64_t n) { return (n + align - 1) / align * align; };
  while (rest.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) head;
    std::memcpy(&head, rest.data(), sizeof head);
    const uint64_t content_at = padded(sizeof head + uint64_t{head.n_namesz});
    if (content_at > rest.size() || head.n_descsz > rest.size() - content_at) return;  // the rest is no note
    std::string_view owner = rest.substr(sizeof head, head.n_namesz);
    if (!owner.empty() && owner.back() == '\0') owner.remove_suffix(1);
    take_note(owner, head.n_type, rest.substr(content_at, head.n_descsz), out);
    const uint64_t next = padded(content_at + head.n_descsz);
    if (next >= rest.size()) return;
    rest.remove_prefix(next);
  }
}

// One that was added afterwards (`plugin note`) is in no segment. Of sections nothing has been checked, and a
// library does without: what cannot be read is none.
void read_added_note(const elf::Library& library, ElfFile& out) {
  const elf::Header& h = library.header();
  const uint64_t size = library.image().size();
  if (h.e_shentsize != sizeof(elf::Section)) return;
  for (uint64_t i = 0; i < h.e_shnum && !out.note; ++i) {
    if (h.e_shoff > size || (i + 1) * sizeof(elf::Section) > size - h.e_shoff) return;
    const auto s = library.image().at<elf::Section>(h.e_shoff + i * sizeof(elf::Section));
    constexpr uint64_t longest = 4096;
    if (s.sh_type != SHT_NOTE || (s.sh_flags & SHF_ALLOC) != 0 || s.sh_size > longest) continue;
    if (s.sh_offset <= size && s.sh_size <= size - s.sh_offset)
      read_notes_in(library.image().bytes(s.sh_offset, s.sh_size), s.sh_addralign, out);
  }
}

void read_notes(const elf::Library& library, ElfFile& out) {
  uint64_t budget = library.image().size();
  for (const elf::Segment& s : library.segments()) {
    if (s.p_type != PT_NOTE) continue;
    if (s.p_filesz > budget) throw NotALibrary("has segments that overlap");
    budget -= s.p_filesz;
    read_notes_in(library.image().bytes(s.p_offset, s.p_filesz), s.p_align, out);
  }
  if (!out.note) read_added_note(library, out);
}

}  // namespace

ElfFile read_elf(const std::string& path) {
  try {
    const elf::Library library(path);
    ElfFile out;
    out.machine = elf::machine_name(library.header().e_machine);
    bool says_stack = false;
    for (const elf::Segment& s : library.segments())
      if (s.p_type == PT_GNU_STACK) {
        says_stack = true;
        out.executable_stack = (s.p_flags & PF_X) != 0;
      }
    // Without that segment the system takes what was usual when it did not exist yet.
    if (!says_stack) out.executable_stack = true;
    DynamicReader(library).read(out);
    read_notes(library, out);
    return out;
  } catch (const NotALibrary& e) {
    throw refusal(core::Rule::not_a_library, text("the file ", e.what())).with("file", path);
  }
}

std::optional<PluginNote> read_plugin_note(const std::string& path) {
  try {
    ElfFile out;
    read_notes(elf::Library(path), out);
    return out.note;
  } catch (const NotALibrary&) {
    return std::nullopt;
  }
}

std::string read_build_id(const std::string& path) {
  try {
    ElfFile out;
    read_notes(elf::Library(path), out);
    return out.build_id;
  } catch (const NotALibrary&) {
    return {};
  }
}

}  // namespace mo::app
