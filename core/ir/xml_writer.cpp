#include "core/ir/xml_writer.hpp"

#include "core/support/utf8.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace mo::core {

namespace {

// Characters that stand for themselves; of others and of what is not ASCII escaped() knows.
constexpr auto plain = [] {
  std::array<bool, 256> table{};
  for (size_t c = 0x20; c < 0x7f; ++c) table[c] = true;
  for (const char c : {'&', '<', '>', '"'}) table[static_cast<size_t>(c)] = false;
  return table;
}();

// What is written for the characters at s[at], and how many they are.
std::pair<std::string_view, size_t> escaped(std::string_view s, size_t at) {
  switch (s[at]) {
    case '&':
      return {"&amp;", 1};
    case '<':
      return {"&lt;", 1};
    case '>':
      return {"&gt;", 1};
    case '"':
      return {"&quot;", 1};
    case '\n':
      return {"&#10;", 1};
    case '\r':
      return {"&#13;", 1};
    case '\t':
      return {"&#9;", 1};
    default:
      break;
  }
  const size_t length = utf8_length(s, at);
  const bool legal = length > 1 || (length == 1 && static_cast<uint8_t>(s[at]) >= 0x20);
  // U+FFFE and U+FFFF are no characters to XML.
  if (legal && !s.substr(at).starts_with("\xef\xbf\xbe") && !s.substr(at).starts_with("\xef\xbf\xbf"))
    return {s.substr(at, length), length};
  return {"\xef\xbf\xbd", length == 0 ? 1 : length};
}

}  // namespace

bool is_xml_name(std::string_view s) {
  const auto starts = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (s.empty() || !starts(s.front())) return false;
  return std::all_of(s.begin(), s.end(),
                     [&](char c) { return starts(c) || (c >= '0' && c <= '9') || c == '-' || c == '.'; });
}

XmlWriter& XmlWriter::text(std::string_view s) {
  size_t start = 0;
  for (size_t i = 0; i < s.size();) {
    if (plain[static_cast<uint8_t>(s[i])]) {
      ++i;
      continue;
    }
    raw(s.substr(start, i - start));
    const auto [replacement, length] = escaped(s, i);
    raw(replacement);
    start = i += length;
  }
  return raw(s.substr(start));
}

XmlWriter& XmlWriter::raw_slowly(std::string_view s) {
  flush();
  if (s.size() > capacity)
    sink_(s);
  else
    raw(s);
  return *this;
}

void XmlWriter::flush() {
  if (used_ != 0) sink_({buffer_.get(), std::exchange(used_, 0)});
}

}  // namespace mo::core
