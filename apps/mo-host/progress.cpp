#include "apps/mo-host/progress.hpp"

#include <unistd.h>

#include <algorithm>

namespace mo::app {

namespace {

constexpr int cells = 30;
constexpr auto patience = std::chrono::milliseconds(200);  // short runs show nothing
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
  const auto now = Clock::now();
  if (!enabled_ || now - begin_ < patience || now - last_ < pause) return;
  last_ = now;
  const double all = (std::max(0, number_ - 1) + part) / std::max(1, phases_);
  const int full = std::clamp(static_cast<int>(all * cells), 0, cells);
  std::string line = "\r\033[K[" + std::string(static_cast<size_t>(full), '=') +
                     std::string(static_cast<size_t>(cells - full), ' ') + "] " + name_;
  if (part > 0) line += " " + std::to_string(static_cast<int>(part * 100)) + " %";
  write_out(line);
  drawn_ = true;
}

void Progress::clear() {
  if (drawn_) write_out("\r\033[K");
  drawn_ = false;
}

}  // namespace mo::app
