// Text that comes from files, as it may reach a terminal or a log.
#pragma once

#include <string>
#include <string_view>

namespace mo::core {

// More than that nobody reads; what names it are texts of a file, which can have any length.
inline constexpr size_t longest_message = 16 * 1024;

// Bytes that are not well-formed UTF-8 and control characters, which can move the cursor, ring or forge
// lines, become "\x1b" and the like. Newlines are followed by `indent` blanks, so that no text begins a line
// of its own; tabs stay. The result has at most `most` bytes, of which there are 64 or more: what does not
// fit is cut, and how much that was is said. Applied twice, without `indent`, it changes nothing more.
std::string printable(std::string_view text, size_t indent = 0, size_t most = std::string_view::npos);

}  // namespace mo::core
