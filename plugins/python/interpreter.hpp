// The Python interpreter of this process: the one that is there, or one that is found on the system and opened.
// No header of Python is needed: the few functions used here are the same in every version.
#pragma once

#include <string>

namespace mo::python {

// Runs a program in a namespace of its own. False: it ended in an exception that it did not catch itself.
// Throws mo::Error with the remedy where no interpreter can be had; `wanted` is that of --python, or "".
bool run(const std::string& wanted, const std::string& program);

}  // namespace mo::python
