#include "core/graph/memory_account.hpp"

#include <mo/text.hpp>

#include <algorithm>

namespace mo::core {

uint64_t MemoryAccount::most() const noexcept {
  constexpr uint64_t for_each_byte = 16, any_model = uint64_t{256} << 20;
  return limit_ == no_limit ? for_each_byte * model_ + any_model : limit_ + model_;
}

bool MemoryAccount::try_work(uint64_t steps) noexcept {
  constexpr uint64_t for_each_byte = 128, any_model = uint64_t{1} << 30;
  const uint64_t most = for_each_byte * model_ + any_model;
  return (work_ += std::min(steps, most + 1)) <= most;
}

bool MemoryAccount::try_fold(uint64_t read, uint64_t made) noexcept {
  constexpr uint64_t any_operation = 512;
  if (limit_ == no_limit && made > most() - std::min(used_.load(), most())) return false;
  return try_work(any_operation + read + made);
}

bool MemoryAccount::try_take(uint64_t bytes) noexcept {
  const uint64_t all = most();
  uint64_t used = used_;
  do {
    if (bytes > all || used > all - bytes) return false;
  } while (!used_.compare_exchange_weak(used, used + bytes));
  return true;
}

void MemoryAccount::take(uint64_t bytes) {
  if (try_take(bytes)) return;
  refused_ = bytes;
  throw refusal(bytes);
}

void MemoryAccount::check(uint64_t bytes) {
  if (bytes / 4 <= most()) return;
  refused_ = bytes;
  throw refusal(bytes);
}

Failure MemoryAccount::refusal(uint64_t bytes) const {
  return Failure(Exit::model, "MO0510",
                 text("a value of ", bytes, " bytes does not fit: values that are computed may take ",
                      most() - model_, " bytes beside the ", model_.load(), " of the model, and ",
                      used_.load(), " are in use"))
      .with("hint",
            "--memory_limit SIZE allows more; without the node (--input, --output) there is no such value");
}

}  // namespace mo::core
