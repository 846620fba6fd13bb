#include "core/support/write_behind.hpp"

#include <csignal>
#include <new>
#include <system_error>
#include <utility>

namespace mo::core {

namespace {

constexpr uint64_t worth_a_thread = 64 * WriteBehind::window;

}  // namespace

WriteBehind::WriteBehind(OutputFile& file, uint64_t total)
    : file_(file), memory_(new (std::align_val_t{4096}) std::byte[slots * window]) {
  if (total >= worth_a_thread) start();
}

WriteBehind::~WriteBehind() { stop(); }

// Signals stay with the threads that were there before: what their handlers expect is theirs.
void WriteBehind::start() {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {  // no thread is to be had
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void WriteBehind::stop() noexcept {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  to_write_.notify_one();
  thread_.join();
}

// Without the lock: nobody else touches a window that is handed over and not done.
void WriteBehind::write(size_t number) {
  const size_t i = number % slots;
  file_.write_at(written_, {reinterpret_cast<const char*>(slot(i)), counts_[i]});
}

void WriteBehind::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    to_write_.wait(lock, [&] {
      return stopped_ || handed_over_ - done_ >= worth_waking || (hurry_ && handed_over_ != done_);
    });
    while (!stopped_ && handed_over_ != done_) {
      lock.unlock();
      std::exception_ptr problem;
      try {
        write(done_);
      } catch (...) {
        problem = std::current_exception();
      }
      lock.lock();
      written_ += counts_[done_ % slots];
      ++done_;
      if (problem != nullptr) {
        problem_ = std::move(problem);
        stopped_ = true;
      }
      to_fill_.notify_one();
    }
    if (stopped_) return;
  }
}

void WriteBehind::throw_problem() {
  if (problem_ != nullptr) std::rethrow_exception(std::exchange(problem_, nullptr));
}

void WriteBehind::hand_over(size_t count) {
  counts_[filled_ % slots] = count;
  if (!thread_.joinable()) {
    write(filled_);
    written_ += count;
    return;
  }
  ++filled_;
  std::unique_lock lock(mutex_);
  handed_over_ = filled_;
  if (handed_over_ - done_ >= worth_waking) to_write_.notify_one();
  to_fill_.wait(lock, [&] { return stopped_ || filled_ - done_ < slots; });
  throw_problem();
}

void WriteBehind::finish() {
  if (!thread_.joinable()) return;
  std::unique_lock lock(mutex_);
  hurry_ = true;
  to_write_.notify_one();
  to_fill_.wait(lock, [&] { return stopped_ || handed_over_ == done_; });
  throw_problem();
}

uint64_t WriteBehind::written() {
  const std::lock_guard lock(mutex_);
  return written_;
}

}  // namespace mo::core
