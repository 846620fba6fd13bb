#pragma once

#include <string>

namespace mo::app {

// The file that this process runs, links resolved; of code in a library the program that is installed with it,
// whether it is there or not. "" when the system does not tell, or the library lies beside no plugins.
std::string program_path();

}  // namespace mo::app
