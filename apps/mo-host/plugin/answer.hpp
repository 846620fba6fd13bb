// Where the answer of a word goes: to --output_file, or to the standard output.
#pragma once

#include "apps/session/arguments.hpp"

namespace mo::app {

// Failure (Exit::output).
void answer(const Arguments&, const std::string& text);

}  // namespace mo::app
