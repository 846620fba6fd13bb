#include "apps/mo-host/plugin/words.hpp"

namespace mo::app {

namespace {

constexpr WordRow word_rows[] = {
    {"manifest", "FILE", "load a plugin and write its manifest: everything it registers, as JSON", 1, 1,
     manifest_word},
};

}  // namespace

std::span<const WordRow> plugin_words() { return word_rows; }

}  // namespace mo::app
