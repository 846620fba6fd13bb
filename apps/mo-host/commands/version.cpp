#include <fmt/format.h>

#include "apps/audit/abi_releases.hpp"
#include "apps/mo-host/commands/commands.hpp"
#include "apps/mo-host/output/print.hpp"

namespace mo::app {

void version_command(Program&, const Arguments&) {
  print(fmt::format("mo-host {} (plugin ABI {})\n", MO_HOST_VERSION, name_of(abi_releases().back())));
}

}  // namespace mo::app
