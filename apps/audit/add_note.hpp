// Writes into a plugin's file what MO_PLUGIN_NOTE of mo/plugin.h has a C compiler write.
#pragma once

#include "apps/known_plugins/elf_file.hpp"

namespace mo::app {

// The bytes of the note, as mo/plugin.h describes them.
std::string note_bytes(const PluginNote&);

// In a section of its own behind all others: what was in the file stays where it is. Failure (Exit::plugin) when
// it is no library, and (Exit::output) when it cannot be written.
void add_note(const std::string& path, const PluginNote&);

}  // namespace mo::app
