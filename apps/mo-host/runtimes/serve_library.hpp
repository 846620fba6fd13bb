// The process that has loaded a runtime's library; asked_runtime.hpp says how it is asked.
#pragma once

#include <span>

namespace mo::app {

inline constexpr const char* serving_word = "--serve_runtime";

// Does not return when these words of the command line are those that start it: serving_word, library, IR, and the folder
// where values lie.
void serve_library(std::span<char* const> words);

}  // namespace mo::app
