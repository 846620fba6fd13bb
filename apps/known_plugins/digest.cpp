#include "apps/known_plugins/digest.hpp"

#include <cstring>
#include <mo/text.hpp>

#include "apps/known_plugins/xxh3.hpp"
#include "apps/plugin_search/elf_library.hpp"
#include "core/graph/tensor.hpp"
#include "core/registry/refusal.hpp"

namespace mo::app {

namespace {

core::FileRef mapped(const std::string& path) {
  try {
    return core::map_file(path);
  } catch (const Error& e) {
    throw refusal(core::Rule::no_such_path, e.what()).with("file", path);
  }
}

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

void visit(const elf::Library& library, const std::function<void(const void*, size_t)>& take) {
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
}

}  // namespace

std::string file_digest(const std::string& path) {
  const core::FileRef file = mapped(path);
  Xxh3 hasher;
  hasher.add(file->data, file->bytes);
  return hasher.hex();
}

void visit_loaded(const std::string& path, const std::function<void(const void*, size_t)>& take) {
  try {
    visit(elf::Library(path), take);
  } catch (const elf::NotALibrary& e) {
    throw refusal(core::Rule::not_a_library, text("the file ", e.what())).with("file", path);
  }
}

std::string loaded_digest(const std::string& path) {
  Xxh3 hasher;
  visit_loaded(path, [&](const void* bytes, size_t n) { hasher.add(bytes, n); });
  return hasher.hex();
}

}  // namespace mo::app
