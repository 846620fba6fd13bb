// The releases of the runtime that an IR can be written for (--target). Plugins ask the host for them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mo::core {

struct Release {
  std::string_view name;
  int opset;       // the newest operation set of which it has operations
  int ir_version;  // the newest version of the IR that it reads
};

// Oldest first. A set grows over some releases; what came later than the first of it is known to who defines it
// (mo/first_releases.h). Both are measured, see tests/conformance/runtimes.
inline constexpr Release known_releases[] = {
    {"2021.4", 7, 10},  {"2022.1", 8, 11},  {"2022.2", 9, 11},  {"2022.3", 10, 11}, {"2023.0", 11, 11},
    {"2023.1", 12, 11}, {"2023.2", 13, 11}, {"2023.3", 13, 11}, {"2024.0", 14, 11}, {"2024.1", 14, 11},
    {"2024.2", 15, 11}, {"2024.3", 15, 11}, {"2024.4", 15, 11}, {"2024.5", 15, 11}, {"2024.6", 15, 11},
    {"2025.0", 16, 11}, {"2025.1", 16, 11}, {"2025.2", 16, 11}, {"2025.3", 16, 11}, {"2025.4", 16, 11},
    {"2026.0", 16, 11}, {"2026.1", 16, 11}, {"2026.2", 17, 11}, {"2026.3", 17, 11}, {"2026.4", 17, 11},
};
inline constexpr std::size_t n_releases = sizeof known_releases / sizeof *known_releases;
inline constexpr const Release& newest_release = known_releases[n_releases - 1];

// Names are "YEAR.NUMBER" with one digit behind the point, so that they compare as the releases do.
constexpr bool is_release_name(std::string_view s) {
  return s.size() == 6 && s.find_first_not_of("0123456789") == 4 && s[4] == '.' && s[5] >= '0' && s[5] <= '9';
}
constexpr bool is_later_than_known(std::string_view name) {
  return is_release_name(name) && name > newest_release.name;
}

// A later one than the table knows is the newest that it does. nullptr: there is none of that name.
constexpr const Release* find_release(std::string_view name) {
  for (const Release& r : known_releases)
    if (r.name == name) return &r;
  return is_later_than_known(name) ? &newest_release : nullptr;
}

// The first one that has an operation set; nullptr: none has.
constexpr const Release* first_release_with(int opset) {
  for (const Release& r : known_releases)
    if (r.opset >= opset) return &r;
  return nullptr;
}

// "2021.4, 2022.1, …", for messages.
inline std::string release_names() {
  std::string all;
  for (const Release& r : known_releases) {
    if (!all.empty()) all += ", ";
    all += r.name;
  }
  return all;
}

}  // namespace mo::core
