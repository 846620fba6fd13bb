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
    {"manifest", "FILE", "load a plugin and write its manifest: everything it registers, as JSON", 1, 1,
     manifest_word},
    {"release", "FILE ...", "forget what is known of plugins: what was set aside is tried again", 1, SIZE_MAX,
     release_word},
};

}  // namespace

std::span<const WordRow> plugin_words() { return word_rows; }

}  // namespace mo::app
