#include "apps/mo-host/plugin/words.hpp"

namespace mo::app {

namespace {

constexpr WordRow word_rows[] = {
    {"list", "[PATH ...]",
     "plugins in files and folders, or where mo-host looks for them; none of them is run", 0, SIZE_MAX,
     list_word},
    {"inspect", "FILE",
     "all that a plugin registers, from its manifest, and what its file says; --run loads it", 1, 1,
     inspect_word},
    {"audit", "FILE ...",
     "from the file alone: hosts and systems it loads on, and faults; exit code 1 with any", 1, SIZE_MAX,
     audit_word},
    {"lock", "FOLDER", "write mo-host.lock with the digests of the plugins in a folder; see --locked", 1, 1,
     lock_word},
    {"why", "OPERATION|FILE",
     "who converts an operation, or why nobody does; what becomes of a plugin's file", 1, 1, why_word},
    {"check", "FILE|FOLDER", "try the rules for plugins out on it, each case in a process of its own", 1, 1,
     check_word},
    {"manifest", "FILE", "load a plugin and write its manifest: everything it registers, as JSON", 1, 1,
     manifest_word},
    {"note", "FILE",
     "load a plugin that does not say in its file which ABI it needs, and write it there; for plugins that "
     "are not in "
     "C or C++",
     1, 1, note_word},
    {"release", "FILE ...", "forget what is known of plugins: what was set aside is tried again", 1, SIZE_MAX,
     release_word},
};

}  // namespace

std::span<const WordRow> plugin_words() { return word_rows; }

}  // namespace mo::app
