#include <fmt/format.h>

#include "apps/audit/abi_releases.hpp"
#include "apps/mo-host/commands.hpp"
#include "apps/mo-host/print.hpp"

namespace mo::app {

void version_command(Run&, const Arguments&) {
  print(fmt::format("mo-host {} (plugin ABI {})\n", MO_HOST_VERSION, name_of(abi_releases().back())));
}

}  // namespace mo::app
