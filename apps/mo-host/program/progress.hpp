// A line on the terminal that says what goes on. Nothing at all when stderr is no terminal, unless asked for.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace mo::app {

class Progress {
 public:
  Progress();
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void disable() { enabled_ = false; }
  // Whatever stderr is, and however short the run.
  void enable() {
    enabled_ = true;
    patience_ = {};
  }
  // Each step on a line of its own, for logs; otherwise one line is drawn over and over.
  void use_lines() { lines_ = true; }

  // Phases are counted from 1; `phases` is how many there will be.
  void phase(std::string_view name, int number, int phases);
  void step(uint64_t done, uint64_t total);
  // Before anything else is written to the terminal.
  void clear();

 private:
  void draw(double part);
  using Clock = std::chrono::steady_clock;
  bool enabled_;
  bool lines_ = false;
  std::chrono::milliseconds patience_{200};  // short runs show nothing
  int shown_ = -1;                           // cells of the last line
  bool drawn_ = false;
  std::string name_;
  int number_ = 0, phases_ = 1;
  Clock::time_point begin_ = Clock::now(), last_{};
};

}  // namespace mo::app
