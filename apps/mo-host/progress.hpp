// A line on the terminal that says what goes on. Nothing at all when stderr is no terminal.
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

  // Phases are counted from 1; `phases` is how many there will be.
  void phase(std::string_view name, int number, int phases);
  void step(uint64_t done, uint64_t total);
  // Before anything else is written to the terminal.
  void clear();

 private:
  void draw(double part);
  using Clock = std::chrono::steady_clock;
  bool enabled_;
  bool drawn_ = false;
  std::string name_;
  int number_ = 0, phases_ = 1;
  Clock::time_point begin_ = Clock::now(), last_{};
};

}  // namespace mo::app
