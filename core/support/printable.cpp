#include "core/support/printable.hpp"

#include "core/support/utf8.hpp"

namespace mo::core {

namespace {

bool is_control(std::string_view sequence) {
  const auto first = static_cast<uint8_t>(sequence[0]);
  if (sequence.size() == 1) return first < 0x20 || first == 0x7f;
  // U+0080 to U+009F, of which U+009B begins what a terminal obeys.
  return first == 0xc2 && static_cast<uint8_t>(sequence[1]) < 0xa0;
}

void append_escaped(std::string& out, std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  for (const char c : bytes) {
    const auto byte = static_cast<uint8_t>(c);
    out += {'\\', 'x', digits[byte >> 4U], digits[byte & 0xfU]};
  }
}

}  // namespace

std::string printable(std::string_view text, size_t indent, size_t most) {
  constexpr size_t longest_note = 40;
  std::string out;
  size_t at = 0, kept = 0, read = 0;  // up to where a note would fit: of the result, of the text
  while (at < text.size() && out.size() <= most) {
    const size_t length = utf8_length(text, at);
    const std::string_view sequence = text.substr(at, length == 0 ? 1 : length);
    at += sequence.size();
    if (sequence == "\n")
      out += "\n" + std::string(indent, ' ');
    else if (sequence != "\t" && (length == 0 || is_control(sequence)))
      append_escaped(out, sequence);
    else
      out += sequence;
    if (out.size() <= most - longest_note) {
      kept = out.size();
      read = at;
    }
  }
  if (out.size() <= most) return out;
  out.resize(kept);
  return out + "... (" + std::to_string(text.size() - read) + " bytes more)";
}

}  // namespace mo::core
