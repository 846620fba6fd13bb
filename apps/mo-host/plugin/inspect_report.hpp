// What `plugin inspect` found, as text and JSON.
#pragma once

#include "apps/known_plugins/elf_file.hpp"
#include "apps/known_plugins/manifest.hpp"

namespace mo::app {

struct Inspected {
  std::string path, digest, loaded_digest;
  ElfFile binary;
  std::optional<Manifest> manifest;
  std::string source;  // of the manifest: its path, or "loading it"; "" when there is none
};

std::string inspect_text(const Inspected&);
std::string inspect_json(const Inspected&);

}  // namespace mo::app
