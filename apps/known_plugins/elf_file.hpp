// All that a shared library says of itself, read without executing any of it. Nothing in the file is trusted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mo::app {

// A symbol of the dynamic table.
struct ElfSymbol {
  std::string name, version;  // version "" = none
  std::string library;        // of the version that is needed; "" when it is not said
  bool weak = false, unique = false, function = false;
};

// A version of a library that has to be there: GLIBC_2.34 of libc.so.6.
struct ElfNeededVersion {
  std::string library, version;
};

struct ElfNote {
  std::string owner;
  uint32_t type = 0;
  size_t size = 0;
};

// What MO_PLUGIN_NOTE of mo/plugin.h writes.
struct PluginNote {
  uint32_t abi_major = 0, abi_minor = 0, abi_lowest_minor = 0, abi_candidate = 0;
  std::string id, version;
};

struct ElfFile {
  std::string machine, soname, rpath, runpath, build_id;
  std::vector<std::string> needed;  // in the order of the file, as the next
  std::vector<ElfNeededVersion> versions;
  std::vector<ElfSymbol> imports, exports;  // sorted by name
  std::vector<ElfNote> notes;
  std::optional<PluginNote> note;  // the first of owner "mo-host"
  std::string note_problem;        // why there is none although there is one of that owner
  bool executable_stack = false, text_relocations = false;
};

// Throws Failure (Exit::plugin, MOX-004) with `ElfLook::problem`.
ElfFile read_elf(const std::string& path);
// Only `note` of it; cheap. Nothing for files that are no library, too.
std::optional<PluginNote> read_plugin_note(const std::string& path);
// Only `build_id`: as cheap.
std::string read_build_id(const std::string& path);

}  // namespace mo::app
