// `plugin lock FOLDER`: writes down which plugins a folder has now.
#include "apps/known_plugins/lock.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "apps/mo-host/output/print.hpp"
#include "apps/mo-host/output/write_file.hpp"
#include "apps/mo-host/plugin/words.hpp"
#include "apps/mo-host/program/program.hpp"
#include "apps/plugin_search/discovery.hpp"
#include "core/registry/refusal.hpp"
#include "core/support/paths.hpp"

namespace mo::app {

void lock_word(Program& program, const Arguments&, const std::vector<std::string>& operands) {
  const std::string folder = core::resolve_path(operands.front());
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error))
    throw core::refusal(core::Rule::no_such_path,
                        "'" + folder + "' is not a folder; expected one with plugins")
        .with("hint", "a plugin is locked with the folder it is in");
  core::Discovery found =
      discover(folder, {.any_owner = true, .allow_writable_folders = program.early().allow_writable_folders});
  if (!found.refused.empty())
    throw core::with_advice(std::move(found.refused.front().second.with("file", found.refused.front().first)),
                            nullptr);
  const Lock lock = make_lock(folder, found.plugins);
  write_file(lock.path, to_json(lock));
  std::string out;
  for (const LockedPlugin& p : lock.plugins) {
    out += fmt::format("{}  {}{}\n", p.digest, p.file,
                       p.id.empty() ? "" : fmt::format("  ({} {})", p.id, p.version));
    for (const LockedLibrary& l : p.libraries)
      out += fmt::format("{}    {} (a library of it)\n", l.digest, l.file);
  }
  print(out + fmt::format("{} plugin{} locked in {}\n", lock.plugins.size(),
                          lock.plugins.size() == 1 ? "" : "s", lock.path));
}

}  // namespace mo::app
