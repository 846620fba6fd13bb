#include "apps/session/target.hpp"

#include "core/support/nearest.hpp"

namespace mo::app {

const core::Release& target_of(const Arguments& a) {
  const std::string version = a.text("ir_version"), name = a.text("target");
  if (!a.has("target")) return version == "10" ? core::known_releases[0] : core::newest_release;
  const core::Release* found = core::find_release(name);
  if (found == nullptr) {
    std::vector<std::string> known;
    for (const core::Release& r : core::known_releases) known.emplace_back(r.name);
    const std::string guess = core::did_you_mean(name, known);
    throw core::Failure(core::Exit::usage, "MO0104",
                        "--target is '" + name + "'; expected one of " + core::release_names())
        .with("hint", guess.empty() ? "without --target the newest release is meant" : guess);
  }
  if (version == "11" && found->ir_version < 11)
    throw core::Failure(core::Exit::usage, "MO0118",
                        "--ir_version 11 does not go together with --target " + std::string(found->name) +
                            ", which reads version 10 only")
        .with("hint", "leave --ir_version away");
  return *found;
}

}  // namespace mo::app
