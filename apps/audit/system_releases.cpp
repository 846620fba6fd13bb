#include "apps/audit/system_releases.hpp"

#include <algorithm>
#include <charconv>
#include <mo/text.hpp>

namespace mo::app {

namespace {

constexpr SystemRelease known_systems[] = {
    {"Debian", "10 (buster)", "2.28", "3.4.25", "1.3.11"},
    {"Debian", "11 (bullseye)", "2.31", "3.4.28", "1.3.12"},
    {"Debian", "12 (bookworm)", "2.36", "3.4.30", "1.3.13"},
    {"Debian", "13 (trixie)", "2.41", "3.4.33", "1.3.15"},
    {"Ubuntu", "18.04", "2.27", "3.4.25", "1.3.11"},
    {"Ubuntu", "20.04", "2.31", "3.4.28", "1.3.12"},
    {"Ubuntu", "22.04", "2.35", "3.4.30", "1.3.13"},
    {"Ubuntu", "24.04", "2.39", "3.4.33", "1.3.15"},
};

// What a version is called that has no number but came with one.
std::string_view number_in(std::string_view version, std::string_view family) {
  if (version == "GLIBC_ABI_DT_RELR" && family == "GLIBC_") return "2.36";
  if (!version.starts_with(family)) return {};
  const std::string_view number = version.substr(family.size());
  return !number.empty() && number.front() >= '0' && number.front() <= '9' ? number : std::string_view();
}

void raise(std::string& floor, std::string_view number) {
  if (!number.empty() && (floor.empty() || is_older_version(floor, number))) floor = number;
}

bool system_has(std::string_view has, const std::string& needed) {
  return needed.empty() || !is_older_version(has, needed);
}

// The number up to the next dot, which is taken off.
uint64_t next_part(std::string_view& version) {
  uint64_t part = 0;
  const char* const last = version.data() + version.size();
  const auto [end, error] = std::from_chars(version.data(), last, part);
  (void)error;
  version.remove_prefix(static_cast<size_t>(end - version.data()));
  const size_t dot = version.find('.');
  version.remove_prefix(dot == std::string_view::npos ? version.size() : dot + 1);
  return part;
}

}  // namespace

std::span<const SystemRelease> system_releases() { return known_systems; }

bool is_older_version(std::string_view a, std::string_view b) {
  while (!a.empty() || !b.empty()) {
    const uint64_t x = next_part(a), y = next_part(b);
    if (x != y) return x < y;
  }
  return false;
}

SystemFloor floor_of(const ElfFile& file) {
  SystemFloor floor;
  for (const ElfNeededVersion& v : file.versions) {
    raise(floor.glibc, number_in(v.version, "GLIBC_"));
    raise(floor.glibcxx, number_in(v.version, "GLIBCXX_"));
    raise(floor.cxxabi, number_in(v.version, "CXXABI_"));
  }
  return floor;
}

std::vector<std::string> oldest_with(const SystemFloor& floor) {
  std::vector<std::string> out;
  std::string_view last;
  for (const SystemRelease& r : known_systems) {
    if (r.distribution == last || !system_has(r.glibc, floor.glibc) ||
        !system_has(r.glibcxx, floor.glibcxx) || !system_has(r.cxxabi, floor.cxxabi))
      continue;
    last = r.distribution;
    out.push_back(text(r.distribution, " ", r.name));
  }
  return out;
}

}  // namespace mo::app
