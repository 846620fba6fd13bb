// Libraries that a plugin brings along: it names them, and its run path leads to them.
#pragma once

#include <string>
#include <vector>

namespace mo::app {

// Those of the plugin and, in turn, of its libraries, where they are below run paths that begin at $ORIGIN;
// sorted, by their resolved paths. Nothing is executed. Those of the system are none.
std::vector<std::string> companion_libraries(const std::string& plugin);

}  // namespace mo::app
