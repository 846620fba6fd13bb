#include "apps/processes/copying.hpp"

#include <unistd.h>

#include <mutex>
#include <new>
#include <shared_mutex>

namespace mo::app {

namespace {

std::shared_mutex process;
// Whoever copies the process has it until that is done, so that those who come later stand behind, and the copy finds
// it free.
std::mutex queue;
thread_local int held = 0;

void share() {
  const std::lock_guard in_turn(queue);
  process.lock_shared();
}

}  // namespace

NotCopied::NotCopied() {
  if (held++ == 0) share();
}
NotCopied::~NotCopied() {
  if (--held == 0) process.unlock_shared();
}

pid_t copy_process() {
  if (held != 0) process.unlock_shared();
  queue.lock();
  process.lock();
  const pid_t child = fork();
  if (child != 0) {
    process.unlock();
    queue.unlock();
  } else {
    // The copy's thread has another number than the one that locked, and unlocks nothing of that one's.
    new (&process) std::shared_mutex;
    new (&queue) std::mutex;
  }
  if (held != 0) share();
  return child;
}

}  // namespace mo::app
