#include "apps/mo-host/program/progress.hpp"

#include <unistd.h>

#include <algorithm>

namespace mo::app {

namespace {

constexpr int progress_cells = 30;
constexpr auto pause = std::chrono::milliseconds(50);

void write_out(std::string_view s) {
  while (!s.empty()) {
    const ssize_t n = write(STDERR_FILENO, s.data(), s.size());
    if (n <= 0) return;
    s.remove_prefix(static_cast<size_t>(n));
  }
}

}  // namespace

Progress::Progress() : enabled_(isatty(STDERR_FILENO) == 1) {}

void Progress::phase(std::string_view name, int number, int phases) {
  name_ = name;
  number_ = number;
  phases_ = phases;
  draw(0);
}

void Progress::step(uint64_t done, uint64_t total) {
  if (total != 0) draw(std::min(1.0, static_cast<double>(done) / static_cast<double>(total)));
}

void Progress::draw(double part) {
  if (!enabled_) return;
  const auto now = Clock::now();
  const double all = (std::max(0, number_ - 1) + part) / std::max(1, phases_);
  const int full = std::clamp(static_cast<int>(all * progress_cells), 0, progress_cells);
  // A line of its own needs news, and is never left out then.
  const bool due = lines_ ? part == 0 || full != shown_ : part == 0 || now - last_ >= pause;
  if (!due || now - begin_ < patience_) return;
  last_ = now;
  shown_ = full;
  std::string line = "[" + std::string(static_cast<size_t>(full), '=') +
                     std::string(static_cast<size_t>(progress_cells - full), ' ') + "] " + name_;
  if (part > 0) line += " " + std::to_string(static_cast<int>(part * 100)) + " %";
  write_out(lines_ ? line + "\n" : "\r\033[K" + line);
  drawn_ = !lines_;
}

void Progress::clear() {
  if (drawn_) write_out("\r\033[K");
  drawn_ = false;
}

}  // namespace mo::app
