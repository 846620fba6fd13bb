#include "apps/mo-host/runtimes/library_runtime.hpp"

#include "apps/mo-host/runtimes/serve_library.hpp"
#include "apps/processes/program_path.hpp"

namespace mo::app {

using core::Exit;
using core::Failure;

LibraryRuntime::LibraryRuntime(const std::string& library, const std::string& xml)
    : AskedRuntime(library, xml) {
  const std::string why = start({program_path(), serving_word, library, xml, folder()});
  if (!why.empty())
    throw Failure(Exit::usage, "MO0104",
                  "--runtime: the process that loads '" + library + "' cannot be started: " + why);
  if (const auto none = wait_until_ready())
    throw Failure(Exit::usage, "MO0104",
                  "--runtime: '" + library + "' is no OpenVINO that can be used: " + *none)
        .with("hint",
              "give libopenvino_c.so of OpenVINO 2022.3 or newer, or a folder that has it; libraries that it "
              "needs are found behind `source setupvars.sh`");
}

}  // namespace mo::app
