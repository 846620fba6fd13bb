// A file that a thread of its own writes while what comes next is still made.
#pragma once

#include "core/support/output_file.hpp"

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

namespace mo::core {

// Windows are written from the start of the file, one after another. A short file is not worth a thread, and
// where the system gives none, whoever hands over a window writes it.
class WriteBehind {
 public:
  static constexpr size_t window = size_t{1} << 16;
  // total: how much is going to be written.
  WriteBehind(OutputFile&, uint64_t total);
  // What was not written yet is not.
  ~WriteBehind();
  WriteBehind(const WriteBehind&) = delete;
  WriteBehind& operator=(const WriteBehind&) = delete;

  // Where the next window is to be filled; valid until it is handed over.
  std::byte* next() { return slot(filled_); }
  // Its first `count` bytes are to be written. Fails with what an earlier one failed with.
  void hand_over(size_t count);
  // Waits until all of it is in the file.
  void finish();
  // Bytes that are in the file.
  uint64_t written();

 private:
  static constexpr size_t slots = 16;
  // Waking the thread for each window would take as long as writing it.
  static constexpr size_t worth_waking = 8;

  std::byte* slot(size_t i) { return memory_.get() + i % slots * window; }
  void start();
  void run();
  void stop() noexcept;
  void write(size_t number);
  void throw_problem();

  struct Free {
    void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{4096}); }
  };
  OutputFile& file_;
  std::unique_ptr<std::byte[], Free> memory_;
  size_t counts_[slots] = {};
  size_t filled_ = 0;  // by whoever hands over, who alone changes it

  std::mutex mutex_;
  std::condition_variable to_write_, to_fill_;
  size_t handed_over_ = 0, done_ = 0;  // windows
  uint64_t written_ = 0;
  bool hurry_ = false, stopped_ = false;
  std::exception_ptr problem_;
  std::thread thread_;
};

}  // namespace mo::core
