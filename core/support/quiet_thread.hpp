// A thread in which no handler of a signal runs: signals stay with the threads that were there before, as
// what their handlers expect is theirs.
#pragma once

#include <csignal>
#include <thread>
#include <utility>

namespace mo::core {

// Throws std::system_error where no thread is to be had.
template <class F>
std::thread start_quiet_thread(F&& f) {
  struct Blocked {
    Blocked() {
      sigset_t all;
      sigfillset(&all);
      pthread_sigmask(SIG_SETMASK, &all, &before);
    }
    ~Blocked() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }
    Blocked(const Blocked&) = delete;
    Blocked& operator=(const Blocked&) = delete;
    sigset_t before{};
  };
  const Blocked inherited;
  return std::thread(std::forward<F>(f));
}

}  // namespace mo::core
