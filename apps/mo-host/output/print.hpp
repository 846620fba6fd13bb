// What the user asked to see goes to stdout.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mo::app {

// Failure (Exit::output) when stdout takes no more.
void print(std::string_view text);

// A terminal whose user has not said otherwise (NO_COLOR).
bool is_coloured(int descriptor);

// "12.3 MB"
std::string size_text(uint64_t bytes);

// Words of `text` in lines of at most `width`, those after the first indented.
std::string wrapped(std::string_view text, size_t indent, size_t width);

}  // namespace mo::app
