// What can be said of a plugin from its file alone: on which hosts and systems it loads, and what is wrong
// with it.
#pragma once

#include "apps/audit/system_releases.hpp"
#include "apps/known_plugins/elf_file.hpp"

namespace mo::app {

struct AuditFinding {
  bool is_fault = true;  // else: worth knowing
  std::string about;     // "exports", "stack": stable words
  std::string sentence;
};

// A library that many programs have, inside the plugin.
struct EmbeddedLibrary {
  std::string name, evidence;
  bool is_certain = false;  // all that is known of it was found
  bool is_exported = false;
};

// Of one released ABI.
struct AuditVerdict {
  std::string abi;  // "1.0-rc2"
  bool is_known = false, loads = false;
  std::string why;
};

struct Audit {
  std::string path;
  bool is_library = false;  // else `findings` says why, and the rest is empty
  ElfFile file;
  SystemFloor floor;
  std::vector<std::string> systems;  // oldest_with(floor)
  std::vector<EmbeddedLibrary> embedded;
  std::vector<AuditVerdict> verdicts;
  std::vector<AuditFinding> findings;
  bool has_faults() const;
};

Audit audit_plugin(const std::string& path);

std::vector<EmbeddedLibrary> embedded_libraries(const std::string& path, const ElfFile&);

}  // namespace mo::app
