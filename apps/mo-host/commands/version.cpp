#include <fmt/format.h>

#include "apps/mo-host/commands.hpp"
#include "apps/mo-host/print.hpp"

namespace mo::app {

void version_command(Run&, const Arguments&) {
  print(fmt::format("mo-host {} (plugin ABI {}.{}{})\n", MO_HOST_VERSION, MO_ABI_MAJOR, MO_ABI_MINOR,
                    MO_ABI_CANDIDATE != 0 ? "-rc" : ""));
}

}  // namespace mo::app
