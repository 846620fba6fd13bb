// The process that has loaded a runtime's library; asked_runtime.hpp says how it is asked.
#pragma once

#include <span>
#include <string>

namespace mo::app {

inline constexpr const char* serving_word = "--serve_runtime";

// Does not return when these words of the command line are those that start it: serving_word, library, IR, and the folder
// where values lie. A line has the shapes of all inputs, whose bytes are in files, and so has an answer those of the outputs.
void serve_library(std::span<char* const> words);

std::string input_file(const std::string& folder, size_t i);
std::string output_file(const std::string& folder, size_t i);

}  // namespace mo::app
