#include "support/fusing_filter.hpp"

#include <algorithm>

namespace mo::builtin_passes {

namespace {

// The matcher of the standard library needs stack for each character.
constexpr size_t most_characters = 1000;

}  // namespace

FusingFilter::FusingFilter(Context c) {
  const std::string given = option<std::string>(c, "finegrain_fusing").value_or("");
  for (size_t begin = 0; begin < given.size();) {
    const size_t end = std::min(given.find(',', begin), given.size());
    const std::string word = given.substr(begin, end - begin);
    begin = end + 1;
    if (word.empty()) continue;
    try {
      kept_.emplace_back(word, std::regex::ECMAScript | std::regex::optimize);
    } catch (const std::regex_error&) {
      fail_option("finegrain_fusing", "'", word,
                  "' is not a regular expression; expected some, separated by commas");
    }
  }
}

bool FusingFilter::allows(const Node& n) const {
  if (kept_.empty()) return true;
  const std::string name = n.name().substr(0, most_characters);
  return std::none_of(kept_.begin(), kept_.end(),
                      [&](const std::regex& r) { return std::regex_search(name, r); });
}

bool fusing_is_wanted(Context c) { return !option<bool>(c, "disable_fusing").value_or(false); }

}  // namespace mo::builtin_passes
