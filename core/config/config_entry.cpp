#include "core/config/config_entry.hpp"

#include <mo/text.hpp>

namespace mo::core {

std::string ConfigEntry::place() const { return text(file, ":", line); }

std::string_view name(ConfigEntry::Kind kind) {
  return kind == ConfigEntry::Kind::scope    ? "scope"
         : kind == ConfigEntry::Kind::points ? "points"
                                             : "general";
}

}  // namespace mo::core
