// A step that is whole or not done when the process is interrupted.
#pragma once

#include <signal.h>

namespace mo::app {

// While one lives, SIGINT, SIGTERM and SIGHUP wait, whichever thread they come to.
class Uninterrupted {
 public:
  Uninterrupted();
  ~Uninterrupted();
  Uninterrupted(const Uninterrupted&) = delete;
  Uninterrupted& operator=(const Uninterrupted&) = delete;

 private:
  sigset_t before_;
};

// For a handler that would end the process: true when it must not now. The signal is raised again after the
// step. [async-signal-safe]
bool has_to_wait(int signal) noexcept;

}  // namespace mo::app
