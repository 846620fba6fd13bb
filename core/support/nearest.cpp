#include "core/support/nearest.hpp"

#include <algorithm>

namespace mo::core {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

size_t edit_distance(std::string_view a, std::string_view b, size_t limit) {
  const size_t more = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (more > limit) return limit + 1;
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    size_t least = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
        row[j] = std::min(row[j], before[j - 2] + 1);
      least = std::min(least, row[j]);
    }
    if (least > limit) return limit + 1;
    before.swap(last);
    last.swap(row);
  }
  return std::min(last[b.size()], limit + 1);
}

std::vector<std::string> nearest(std::string_view wanted, const std::vector<std::string>& known,
                                 size_t most) {
  const size_t limit = wanted.size() < 3 ? 1 : std::min<size_t>(4, (wanted.size() + 2) / 3);
  std::vector<std::pair<size_t, std::string_view>> found;
  for (const std::string& k : known) {
    const size_t d = edit_distance(wanted, k, limit);
    if (d <= limit && d < std::max(wanted.size(), k.size())) found.emplace_back(d, k);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::vector<std::string> names;
  for (const auto& [d, name] : found)
    if (names.size() < most && d == found.front().first) names.emplace_back(name);
  return names;
}

std::string did_you_mean(std::string_view wanted, const std::vector<std::string>& known) {
  std::string out;
  const auto names = nearest(wanted, known);
  for (size_t i = 0; i < names.size(); ++i)
    out += (i == 0 ? "did you mean '" : i + 1 == names.size() ? " or '" : ", '") + names[i] + "'";
  return out.empty() ? out : out + "?";
}

}  // namespace mo::core
