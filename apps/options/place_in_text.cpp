#include "apps/options/place_in_text.hpp"

#include <algorithm>

namespace mo::app {

OptionText::OptionText(std::string_view option, std::string_view text) : option_(option), text_(text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '\\' && i + 1 < text.size();
    if (escape) ++i;
    letters_.push_back({text[i], escape, i});
  }
}

core::Failure OptionText::failure(std::string code, size_t at, const std::string& what) const {
  // One column per character, not per byte.
  const auto before = std::string_view(text_).substr(0, at);
  const auto column = std::count_if(before.begin(), before.end(), [](char c) { return (c & 0xC0) != 0x80; });
  core::Failure f(core::Exit::usage, std::move(code), "--" + option_ + ": " + what);
  f.with("at", text_ + "\n" + std::string(static_cast<size_t>(column), ' ') + "^");
  return f;
}

namespace {

core::Failure unpaired(core::Failure f) {
  return f.with("hint", "a bracket or comma that belongs to a name is written with a backslash before it");
}

}  // namespace

std::vector<Letters> OptionText::split(Letters piece, char separator) const {
  std::vector<Letters> pieces;
  std::vector<Letter> open;
  size_t begin = 0;
  const auto closes = [](char c) { return c == ')' ? '(' : c == ']' ? '[' : c == '}' ? '{' : '\0'; };
  for (size_t i = 0; i < piece.size(); ++i) {
    const Letter& l = piece[i];
    if (l.is('(') || l.is('[') || l.is('{')) {
      open.push_back(l);
    } else if (l.is(')') || l.is(']') || l.is('}')) {
      if (open.empty() || open.back().c != closes(l.c))
        throw unpaired(failure("MO0111", l.at, std::string("'") + l.c + "' closes nothing"));
      open.pop_back();
    } else if (l.is(separator) && open.empty()) {
      pieces.push_back(piece.subspan(begin, i - begin));
      begin = i + 1;
    }
  }
  if (!open.empty())
    throw unpaired(failure("MO0111", open.back().at, std::string("'") + open.back().c + "' is not closed"));
  pieces.push_back(piece.subspan(begin));
  return pieces;
}

Letters trim(Letters l) {
  while (!l.empty() && l.front().is_blank()) l = l.subspan(1);
  while (!l.empty() && l.back().is_blank()) l = l.first(l.size() - 1);
  return l;
}

std::string text_of(Letters l) {
  std::string out;
  for (const Letter& x : l) out += x.c;
  return out;
}

}  // namespace mo::app
