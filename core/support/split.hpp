// A text cut into its parts at a separator.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace mo::core {

// Calls f(std::string_view) with each part, empty ones too: "" has one part, "a," has two.
template <class F>
void each_part(std::string_view text, char separator, F f) {
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(separator, at), text.size());
    f(text.substr(at, end - at));
    at = end + 1;
  }
}

// The parts that are not empty, as they are: blanks belong to them.
inline std::vector<std::string> split(std::string_view text, char separator = ',') {
  std::vector<std::string> parts;
  each_part(text, separator, [&](std::string_view part) {
    if (!part.empty()) parts.emplace_back(part);
  });
  return parts;
}

}  // namespace mo::core
