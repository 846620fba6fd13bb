// How far a manifest is: models done, bytes of them, and the time that is left.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace mo::app {

class ModelsProgress {
 public:
  // A line that is drawn over and over on a terminal, and otherwise a line now and then.
  ModelsProgress(size_t models, uint64_t bytes, bool on_terminal, bool silent)
      : models_(models), bytes_(bytes), on_terminal_(on_terminal), silent_(silent) {}
  ~ModelsProgress() { clear(); }
  ModelsProgress(const ModelsProgress&) = delete;
  ModelsProgress& operator=(const ModelsProgress&) = delete;

  void done(uint64_t bytes, bool failed);
  void draw(bool now = false);
  // Before anything else is written.
  void clear();
  std::string text(double seconds) const;

 private:
  using Clock = std::chrono::steady_clock;
  size_t models_, models_done_ = 0, failed_ = 0;
  uint64_t bytes_, bytes_done_ = 0;
  bool on_terminal_, silent_, drawn_ = false;
  Clock::time_point begin_ = Clock::now(), last_ = Clock::now();
};

}  // namespace mo::app
