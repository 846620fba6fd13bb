#include "apps/files/uninterrupted.hpp"

#include "apps/processes/signals.hpp"

#include <sched.h>

#include <atomic>

namespace mo::app {

namespace {

std::atomic<int> steps{0};         // under way
std::atomic<int> waiting{0};       // a signal; 0: none
std::atomic<bool> is_over{false};  // a handler ends the process

}  // namespace

Uninterrupted::Uninterrupted() {
  sigset_t interrupts;
  sigemptyset(&interrupts);
  for (const int s : interrupt_signals) sigaddset(&interrupts, s);
  pthread_sigmask(SIG_BLOCK, &interrupts, &before_);
  ++steps;
  while (is_over) sched_yield();
}

Uninterrupted::~Uninterrupted() {
  const int signal = --steps == 0 ? waiting.exchange(0) : 0;
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  if (signal != 0) raise(signal);
}

// A step that begins meanwhile sees one of the two, and this function the other.
bool has_to_wait(int signal) noexcept {
  waiting = signal;
  is_over = true;
  if (steps == 0) return false;
  is_over = false;
  return true;
}

}  // namespace mo::app
