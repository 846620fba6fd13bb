#include "apps/mo-host/convert/models_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "apps/mo-host/output/print.hpp"

namespace mo::app {

namespace {

void say(const std::string& text) {
  if (write(STDERR_FILENO, text.data(), text.size()) < 0) return;  // nobody is there to see it
}

std::string time_text(double seconds) {
  const auto s = static_cast<uint64_t>(seconds + 0.5);
  return s < 3600 ? fmt::format("{}:{:02}", s / 60, s % 60)
                  : fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

}  // namespace

void ModelsProgress::done(uint64_t bytes, bool failed) {
  ++models_done_;
  bytes_done_ += bytes;
  if (failed) ++failed_;
}

std::string ModelsProgress::text(double seconds) const {
  // Large models take longer, and each takes something.
  const auto weight = [](double models, double bytes) { return models * 4e6 + bytes; };
  const double all = weight(static_cast<double>(models_), static_cast<double>(bytes_));
  const double so_far = weight(static_cast<double>(models_done_), static_cast<double>(bytes_done_));
  constexpr int cells = 30;
  const int full = all > 0 ? std::clamp(static_cast<int>(so_far / all * cells), 0, cells) : cells;
  std::string out =
      fmt::format("[{}{}] {} of {} models, {} of {}", std::string(static_cast<size_t>(full), '='),
                  std::string(static_cast<size_t>(cells - full), ' '), models_done_, models_,
                  size_text(bytes_done_), size_text(bytes_));
  if (failed_ != 0) out += fmt::format(", {} failed", failed_);
  if (models_done_ != 0 && models_done_ < models_)
    out += fmt::format(", {} left", time_text(seconds * (all - so_far) / so_far));
  return out;
}

void ModelsProgress::draw(bool now) {
  if (silent_) return;
  const auto time = Clock::now();
  if (!now && !on_terminal_ && time - last_ < std::chrono::seconds(10)) return;
  last_ = time;
  const std::string line = text(std::chrono::duration<double>(time - begin_).count());
  say(on_terminal_ ? "\r\033[K" + line : line + "\n");
  drawn_ = on_terminal_;
}

void ModelsProgress::clear() {
  if (drawn_) say("\r\033[K");
  drawn_ = false;
}

}  // namespace mo::app
