#include "support/value_groups.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace mo::builtin_passes {

namespace {

class GroupReader {
 public:
  GroupReader(std::string_view option, std::string_view text) : option_(option), text_(text) {}

  std::vector<ValueGroup> read() {
    std::vector<ValueGroup> groups;
    skip_blanks();
    if (at_end()) return groups;
    while (true) {
      groups.push_back(group());
      skip_blanks();
      if (at_end()) return groups;
      if (text_[at_] != ',') wrong("a comma", at_);
      ++at_;
      skip_blanks();
    }
  }

 private:
  bool at_end() const { return at_ == text_.size(); }
  void skip_blanks() {
    while (!at_end() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  [[noreturn]] void wrong(std::string_view expected, size_t at) const {
    fail_option(option_, "expected ", expected, at == text_.size() ? " at the end of '" : " before '",
                at == text_.size() ? text_ : text_.substr(at), "'; groups are like name(1,2,3),other[4]");
  }

  ValueGroup group() {
    ValueGroup g;
    while (!at_end() && text_[at_] != '(' && text_[at_] != '[') {
      // A bracket or comma of a name stands behind a backslash, as in --input.
      if (text_[at_] == ',') wrong("numbers in brackets", at_);
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      g.name += text_[at_++];
    }
    while (!g.name.empty() && g.name.back() == ' ') g.name.pop_back();
    if (at_end()) wrong("numbers in brackets", at_);
    const char close = text_[at_] == '(' ? ')' : ']';
    const size_t begin = ++at_;
    const size_t end = text_.find(close, begin);
    if (end == std::string_view::npos) wrong(close == ')' ? "')'" : "']'", text_.size());
    for (skip_blanks(); at_ < end; skip_blanks()) {
      g.values.push_back(number(end));
      skip_blanks();
      if (at_ < end && text_[at_] == ',') ++at_;
    }
    if (g.values.empty()) wrong("a number", end);
    at_ = end + 1;
    return g;
  }

  double number(size_t end) {
    const size_t last = std::min(text_.find_first_of(", \t", at_), end);
    double v = 0;
    const auto result = std::from_chars(text_.data() + at_, text_.data() + last, v);
    if (result.ec != std::errc() || result.ptr != text_.data() + last || !std::isfinite(v))
      wrong("a number", at_);
    at_ = last;
    return v;
  }

  std::string_view option_, text_;
  size_t at_ = 0;
};

}  // namespace

std::vector<ValueGroup> parse_value_groups(std::string_view option, std::string_view text) {
  auto groups = GroupReader(option, text).read();
  const auto named =
      std::count_if(groups.begin(), groups.end(), [](const ValueGroup& g) { return !g.name.empty(); });
  if (named != 0 && static_cast<size_t>(named) != groups.size())
    fail_option(option, "some groups have names and some have none; name all inputs or none");
  return groups;
}

}  // namespace mo::builtin_passes
