#include "apps/mo-host/output/print.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "core/support/failure.hpp"
#include "core/support/printable.hpp"

namespace mo::app {

void print(std::string_view from) {
  const std::string shown = core::printable(from);
  std::string_view text = shown;
  while (!text.empty()) {
    const ssize_t n = write(STDOUT_FILENO, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      throw core::Failure(core::Exit::output, "MO0712",
                          std::string("cannot write to standard output: ") + std::strerror(errno));
    text.remove_prefix(static_cast<size_t>(n));
  }
}

bool is_coloured(int descriptor) {
  const char *no = std::getenv("NO_COLOR"), *terminal = std::getenv("TERM");
  return isatty(descriptor) == 1 && (no == nullptr || *no == '\0') && terminal != nullptr &&
         std::string_view(terminal) != "dumb";
}

std::string size_text(uint64_t bytes) {
  const auto b = static_cast<double>(bytes);
  if (b < 1e3) return fmt::format("{} B", bytes);
  if (b < 1e6) return fmt::format("{:.1f} kB", b / 1e3);
  if (b < 1e9) return fmt::format("{:.1f} MB", b / 1e6);
  return fmt::format("{:.2f} GB", b / 1e9);
}

std::string wrapped(std::string_view text, size_t indent, size_t width) {
  std::string out;
  size_t column = indent;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (column != indent && column + 1 + word.size() > width) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    }
    if (column != indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    at = end + 1;
  }
  return out;
}

}  // namespace mo::app
