#include "apps/mo-host/plugin/spelling.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace mo::app {

std::string version_range(int32_t since, int32_t until) {
  if (since == 0 && until == 0) return "any version";
  if (until == 0) return fmt::format("versions {}..", since);
  return since == until ? fmt::format("version {}", since) : fmt::format("versions {}..{}", since, until);
}

std::string note_text(const PluginNote& n) {
  return fmt::format("{} {}, for ABI {}.{}, runs on {}.{} or newer", n.id, n.version, n.abi_major,
                     n.abi_minor, n.abi_major, n.abi_lowest_minor);
}

nlohmann::ordered_json note_json(const std::optional<PluginNote>& n) {
  if (!n) return nullptr;
  return {{"id", n->id},
          {"version", n->version},
          {"abi_major", n->abi_major},
          {"abi_minor", n->abi_minor},
          {"abi_lowest_minor", n->abi_lowest_minor},
          {"abi_candidate", n->abi_candidate}};
}

}  // namespace mo::app
