#include "apps/processes/copying.hpp"

#include <mutex>
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

Copying::Copying() {
  if (held != 0) process.unlock_shared();
  queue.lock();
  process.lock();
}
Copying::~Copying() {
  process.unlock();
  queue.unlock();
  if (held != 0) share();
}

}  // namespace mo::app
