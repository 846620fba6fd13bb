#pragma once

#include <string>

namespace mo::app {

// What waitpid() says, in words that go on behind a name: "was ended by SIGSEGV (Segmentation fault)".
std::string how_it_ended(int status);

}  // namespace mo::app
