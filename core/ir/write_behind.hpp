// Writes a file while what comes next is made: reading and scaling weights on one processor, the file
// system's work on another.
#pragma once

#include "core/ir/output_file.hpp"

#include <condition_variable>
#include <mutex>
#include <span>
#include <thread>

namespace mo::core {

class WriteBehind {
 public:
  // A thread is worth it for files of some megabytes; smaller ones are written by the caller.
  WriteBehind(OutputFile& file, uint64_t total);
  // Waits for what is being written; what finish() did not see may have failed.
  ~WriteBehind();
  WriteBehind(const WriteBehind&) = delete;
  WriteBehind& operator=(const WriteBehind&) = delete;

  // What is to be filled next: pages of their own, all of one size.
  std::span<std::byte> buffer() const { return {buffers_[filled_].get(), size_}; }
  // The first n bytes of buffer() go behind those before them. Errors: of this or an earlier write.
  void write(size_t n);
  // Everything is written. Errors as write's.
  void finish();

 private:
  void work();
  void wait(std::unique_lock<std::mutex>&);

  struct Free {
    void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{4096}); }
  };
  OutputFile& file_;
  const size_t size_;
  std::unique_ptr<std::byte[], Free> buffers_[2];
  size_t filled_ = 0;
  uint64_t written_ = 0;  // or handed over

  std::mutex mutex_;
  std::condition_variable changed_;
  std::span<const std::byte> waiting_;  // empty: nothing is being written
  uint64_t place_ = 0;
  std::exception_ptr error_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace mo::core
