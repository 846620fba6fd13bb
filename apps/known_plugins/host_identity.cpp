// Which build this is: what is known of a plugin holds for one host.
#include <link.h>
#include <sys/stat.h>

#include <cstring>
#include <mo/text.hpp>

#include "apps/known_plugins/hex.hpp"
#include "apps/known_plugins/plugin_cache.hpp"

namespace mo::app {

namespace {

// The note that linkers write, 20 bytes of it with GNU's.
std::string build_id_of(const char* at, size_t bytes) {
  constexpr uint32_t gnu_build_id = 3;
  while (bytes >= 12) {
    uint32_t head[3];
    std::memcpy(head, at, sizeof head);
    const size_t name = (size_t{head[0]} + 3) & ~size_t{3}, content = (size_t{head[1]} + 3) & ~size_t{3};
    if (name > bytes - 12 || content > bytes - 12 - name) return {};
    if (head[2] == gnu_build_id && head[0] == 4 && std::memcmp(at + 12, "GNU", 4) == 0)
      return hex_of({at + 12 + name, head[1]});
    at += 12 + name + content;
    bytes -= 12 + name + content;
  }
  return {};
}

// Of the program, or of the library that has this code.
int find_build_id(dl_phdr_info* info, size_t, void* to) {
  const auto here = reinterpret_cast<uintptr_t>(&host_identity);
  bool is_it = false;
  std::string id;
  for (size_t i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    const uintptr_t start = info->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD && here >= start && here - start < part.p_memsz) is_it = true;
    if (part.p_type == PT_NOTE && id.empty())
      id = build_id_of(reinterpret_cast<const char*>(start), part.p_memsz);  // NOLINT: mapped by the loader
  }
  if (is_it) *static_cast<std::string*>(to) = id;
  return is_it ? 1 : 0;
}

}  // namespace

std::string host_identity() {
  static const std::string identity = [] {
    std::string id;
    dl_iterate_phdr(find_build_id, &id);
    struct stat s {};
    if (id.empty() && stat("/proc/self/exe", &s) == 0)
      id = text(s.st_size, "-", s.st_mtim.tv_sec, ".", s.st_mtim.tv_nsec);
    return text("mo-host ", MO_HOST_VERSION, " ", id);
  }();
  return identity;
}

}  // namespace mo::app
