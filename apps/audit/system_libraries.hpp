// What the libraries that a file names define, on this system; without loading any of them.
#pragma once

#include "apps/known_plugins/elf_file.hpp"

namespace mo::app {

struct Resolution {
  std::vector<std::string> missing;    // libraries that are named and not found
  std::vector<std::string> undefined;  // "name" or "name@version" of symbols that are needed, and nobody has
};

// Libraries are looked for in the file's own run path, in the folders of /etc/ld.so.conf and in the system's,
// as the loader does; LD_LIBRARY_PATH is left aside. Weak symbols need not be defined.
Resolution resolve_symbols(const std::string& path, const ElfFile&);

}  // namespace mo::app
