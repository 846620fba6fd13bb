// "did you mean": the names nearest to a misspelt one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mo::core {

// Insertions, deletions, replacements and swaps of neighbours, case ignored; anything above `limit` is
// `limit` + 1.
size_t edit_distance(std::string_view a, std::string_view b, size_t limit);

// Those at the least distance; none that is too far to be what was meant.
std::vector<std::string> nearest(std::string_view wanted, const std::vector<std::string>& known,
                                 size_t most = 3);

// "did you mean 'a' or 'b'?"; empty when nothing is near.
std::string did_you_mean(std::string_view wanted, const std::vector<std::string>& known);

}  // namespace mo::core
