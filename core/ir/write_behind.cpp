#include "core/ir/write_behind.hpp"

#include <csignal>

#include "core/ir/constants.hpp"

namespace mo::core {

namespace {

constexpr uint64_t worth_a_thread = uint64_t{1} << 23;
// Small enough for a processor's cache, and large enough that handing it over does not count.
constexpr size_t large = size_t{1} << 19;

std::byte* pages(size_t bytes) { return new (std::align_val_t{4096}) std::byte[bytes]; }

}  // namespace

WriteBehind::WriteBehind(OutputFile& file, uint64_t total)
    : file_(file), size_(total < worth_a_thread ? TensorReader::window : large) {
  buffers_[0].reset(pages(size_));
  if (total < worth_a_thread) return;
  buffers_[1].reset(pages(size_));
  // Signals are for the thread that knows what it is at.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    thread_ = std::thread([this] { work(); });
  } catch (const std::system_error&) {
    // No more threads may be had; then the caller writes.
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

WriteBehind::~WriteBehind() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void WriteBehind::write(size_t n) {
  const std::span<const std::byte> bytes = buffer().first(n);
  const uint64_t place = written_;
  written_ += n;
  if (!thread_.joinable())
    return file_.write_at(place, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  std::unique_lock lock(mutex_);
  wait(lock);
  if (n == 0) return;
  waiting_ = bytes;
  place_ = place;
  filled_ = 1 - filled_;
  changed_.notify_all();
}

void WriteBehind::finish() {
  std::unique_lock lock(mutex_);
  wait(lock);
}

void WriteBehind::wait(std::unique_lock<std::mutex>& lock) {
  changed_.wait(lock, [this] { return waiting_.empty(); });
  if (error_) std::rethrow_exception(error_);
}

void WriteBehind::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ends_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    lock.unlock();
    std::exception_ptr error;
    try {
      file_.write_at(place_, {reinterpret_cast<const char*>(waiting_.data()), waiting_.size()});
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    error_ = error;
    waiting_ = {};
    changed_.notify_all();
  }
}

}  // namespace mo::core
