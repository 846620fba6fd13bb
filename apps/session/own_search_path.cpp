#include "apps/session/own_search_path.hpp"

#include "apps/processes/program_path.hpp"
#include "core/support/failure.hpp"

namespace mo::app {

SearchPath own_search_path() {
  const std::string program = program_path();
  if (program.empty())
    throw core::Failure(core::Exit::plugin, "MO0818",
                        "the system does not tell where this program lies, and its plugins lie beside it")
        .with("hint", "mount /proc");
  return default_search_path(program);
}

}  // namespace mo::app
