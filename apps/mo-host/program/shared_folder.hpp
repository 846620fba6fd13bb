// Files that come with the program, found from its own place.
#pragma once

#include <string>

namespace mo::app {

// share/mo-host/<name> beside the folder that the program is in; it need not be there.
std::string shared_folder(const std::string& name);

}  // namespace mo::app
