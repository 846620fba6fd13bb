// What a conversion keeps in memory of values that it computes. A file of a few bytes can ask for any amount.
#pragma once

#include "core/support/failure.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace mo::core {

// Of one session, and of any thread. Tensors give back what they took when they end, which may be after it.
class MemoryAccount {
 public:
  void set_limit(uint64_t bytes) { limit_ = bytes; }
  // Files that the model consists of: nobody is surprised when as much is in memory.
  void add_model(uint64_t bytes) { model_ += bytes; }

  // False: it would be more than there may be.
  bool try_take(uint64_t bytes) noexcept;
  // Throws Failure MO0510 instead, and remembers it.
  void take(uint64_t bytes);
  // The same for what is not in memory yet, and is not counted: it may be some times as large.
  void check(uint64_t bytes);
  void give_back(uint64_t bytes) noexcept { used_ -= bytes; }
  // Counts what folding constants takes, in bytes that are read or written and steps of about a nanosecond.
  // False: it is more than a model of this size asks for, and the constants stay computed by operations.
  bool try_work(uint64_t steps) noexcept;
  // The same for one operation; also false when what it makes has no room, unless somebody has set the limit,
  // who is told that.
  bool try_fold(uint64_t read, uint64_t made) noexcept;

  // What was refused last, once: who asked for it may have said no more than that there is no memory. 0:
  // nothing.
  uint64_t take_refused() noexcept { return refused_.exchange(0); }
  Failure refusal(uint64_t bytes) const;

 private:
  // Without a limit: what the model's size makes sensible.
  uint64_t most() const noexcept;

  static constexpr uint64_t no_limit = ~uint64_t{0};
  std::atomic<uint64_t> limit_ = no_limit, model_ = 0, used_ = 0, work_ = 0;
  std::atomic<uint64_t> refused_ = 0;
};

// What one tensor has taken. Empty for those that nobody counts: what a user or a file gives.
class Charge {
 public:
  Charge() = default;
  // Throws Failure MO0510.
  Charge(std::shared_ptr<MemoryAccount> account, uint64_t bytes) : account_(std::move(account)) {
    if (account_ != nullptr) account_->take(bytes);
    bytes_ = bytes;
  }
  Charge(Charge&& o) noexcept : account_(std::move(o.account_)), bytes_(std::exchange(o.bytes_, 0)) {}
  Charge& operator=(Charge o) noexcept {
    std::swap(account_, o.account_);
    std::swap(bytes_, o.bytes_);
    return *this;
  }
  Charge(const Charge&) = delete;
  ~Charge() {
    if (account_ != nullptr) account_->give_back(bytes_);
  }

 private:
  std::shared_ptr<MemoryAccount> account_;
  uint64_t bytes_ = 0;
};

}  // namespace mo::core
