// How the words of `plugin` spell what several of them show.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "apps/known_plugins/elf_file.hpp"

namespace mo::app {

// "versions 7..11", "any version"; 0 is open.
std::string version_range(int32_t since, int32_t until);

// "com.acme.layers 1.2.0, for ABI 1.0, runs on 1.0 or newer"
std::string note_text(const PluginNote&);
nlohmann::ordered_json note_json(const std::optional<PluginNote>&);  // null when there is none

}  // namespace mo::app
