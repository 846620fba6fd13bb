#include "apps/mo-host/runtimes/passing_folder.hpp"

#include <filesystem>

#include "core/support/failure.hpp"

namespace mo::app {

PassingFolder::PassingFolder() : ScratchFolder("mo-host") {
  if (path().empty())
    throw core::Failure(core::Exit::output, "MO0701",
                        "no folder can be made in '" + std::filesystem::temp_directory_path().string() + "'");
}

}  // namespace mo::app
