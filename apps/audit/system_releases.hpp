// Which release of Debian and Ubuntu has which versions of the C and C++ libraries: the floor of a binary.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/known_plugins/elf_file.hpp"

namespace mo::app {

struct SystemRelease {
  std::string_view distribution, name;      // "Debian", "12 (bookworm)"
  std::string_view glibc, glibcxx, cxxabi;  // the highest versions it has, as in GLIBC_2.36
};

// Oldest first within each distribution. The manual's table is made from it.
std::span<const SystemRelease> system_releases();

// The highest version of each family that a file needs; "" = it needs none.
struct SystemFloor {
  std::string glibc, glibcxx, cxxabi;
};
SystemFloor floor_of(const ElfFile&);

// "Debian 11 (bullseye)", "Ubuntu 20.04": the oldest of each distribution that has all of it. A distribution
// none of whose releases has is left out.
std::vector<std::string> oldest_with(const SystemFloor&);

// 2.4 < 2.34: by numbers.
bool is_older_version(std::string_view a, std::string_view b);

}  // namespace mo::app
