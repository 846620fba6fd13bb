#include "apps/audit/add_note.hpp"

#include "apps/files/output_file.hpp"
#include "apps/plugin_search/elf_library.hpp"
#include "core/registry/refusal.hpp"

namespace mo::app {

namespace {

constexpr std::string_view section_name = ".note.mo_host";

template <class T>
std::string_view bytes_of(const T& t) {
  return {reinterpret_cast<const char*>(&t), sizeof t};
}

void pad(std::string& out, size_t unit) { out.resize((out.size() + unit - 1) / unit * unit); }

// The headers of all sections; the first stands for none, also where a file has no sections.
std::vector<elf::Section> sections_of(const elf::Library& library) {
  const elf::Header& h = library.header();
  if (h.e_shoff == 0 || h.e_shnum == 0) return {elf::Section{}};
  if (h.e_shentsize != sizeof(elf::Section) || h.e_shstrndx >= h.e_shnum)
    throw elf::NotALibrary("has headers of sections that cannot be read");
  std::vector<elf::Section> list;
  for (uint64_t i = 0; i < h.e_shnum; ++i)
    list.push_back(library.image().at<elf::Section>(h.e_shoff + i * sizeof(elf::Section)));
  return list;
}

std::string with_note(const elf::Library& library, const PluginNote& note) {
  std::string out(library.image().bytes(0, library.image().size()));
  std::vector<elf::Section> sections = sections_of(library);
  elf::Header header = library.header();
  const bool has_names = sections.size() > 1;
  std::string names(1, '\0');
  if (has_names) {
    const elf::Section& s = sections[header.e_shstrndx];
    names = library.image().bytes(s.sh_offset, s.sh_size);
  }
  const auto add = [&](const std::string& content, size_t alignment, elf::Section s) {
    pad(out, alignment);
    s.sh_offset = out.size();
    s.sh_size = content.size();
    s.sh_addralign = alignment;
    out += content;
    return s;
  };
  elf::Section made{};
  made.sh_name = static_cast<uint32_t>(names.size());
  made.sh_type = SHT_NOTE;
  names.append(section_name).push_back('\0');
  if (!has_names) {
    elf::Section of_names{};
    of_names.sh_name = static_cast<uint32_t>(names.size());
    of_names.sh_type = SHT_STRTAB;
    names.append(".shstrtab").push_back('\0');
    sections.push_back(of_names);
    header.e_shstrndx = static_cast<uint16_t>(sections.size() - 1);
    header.e_shentsize = sizeof(elf::Section);
  }
  if (sections.size() + 1 >= SHN_LORESERVE) throw elf::NotALibrary("has too many sections");
  sections.push_back(add(note_bytes(note), 4, made));
  sections[header.e_shstrndx] = add(names, 1, sections[header.e_shstrndx]);
  pad(out, 8);
  header.e_shoff = out.size();
  header.e_shnum = static_cast<uint16_t>(sections.size());
  for (const elf::Section& s : sections) out += bytes_of(s);
  out.replace(0, sizeof header, bytes_of(header));
  return out;
}

}  // namespace

std::string note_bytes(const PluginNote& note) {
  constexpr std::string_view owner{"mo-host\0", 8};
  const uint32_t abi[4] = {note.abi_major, note.abi_minor, note.abi_lowest_minor, note.abi_candidate};
  std::string content(bytes_of(abi));
  for (const std::string& s : {note.id, note.version}) content.append(s).push_back('\0');
  const uint32_t head[3] = {static_cast<uint32_t>(owner.size()), static_cast<uint32_t>(content.size()), 2};
  return std::string(bytes_of(head)).append(owner).append(content);
}

void add_note(const std::string& path, const PluginNote& note) {
  std::string whole;
  try {
    whole = with_note(elf::Library(path), note);
  } catch (const elf::NotALibrary& e) {
    throw refusal(core::Rule::not_a_library, text("the file ", e.what())).with("file", path);
  }
  OutputFile file(path);
  file.write(whole);
  file.finish(true);
  file.move_to_path();
}

}  // namespace mo::app
