// `plugin note FILE`: for plugins of languages that have no MO_PLUGIN_NOTE.
#include "apps/audit/add_note.hpp"
#include "apps/known_plugins/manifest.hpp"
#include "apps/mo-host/plugin/load_one.hpp"
#include "apps/mo-host/plugin/spelling.hpp"
#include "apps/mo-host/plugin/words.hpp"
#include "core/support/failure.hpp"
#include "core/support/paths.hpp"

namespace mo::app {

void note_word(Program& program, const Arguments&, const std::vector<std::string>& operands) {
  const std::string path = core::resolve_path(operands.front());
  const ElfFile file = read_elf(path);
  if (file.note)
    throw core::Failure(core::Exit::plugin, "MO0804", "it has a note already: " + note_text(*file.note))
        .with("file", path);
  const Manifest m = manifest_from_json(path, probed_manifest(program, path));
  // It has been loaded, so it is of this host's count.
  add_note(path, {m.abi_major, m.abi_minor, m.abi_minor, MO_ABI_CANDIDATE, m.id, m.version});
}

}  // namespace mo::app
