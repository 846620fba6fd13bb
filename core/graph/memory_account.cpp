#include "core/graph/memory_account.hpp"

#include <mo/text.hpp>

namespace mo::core {

bool MemoryAccount::try_take(uint64_t bytes) noexcept {
  const uint64_t most = limit_ + model_;
  uint64_t used = used_;
  do {
    if (bytes > most || used > most - bytes) return false;
  } while (!used_.compare_exchange_weak(used, used + bytes));
  return true;
}

void MemoryAccount::take(uint64_t bytes) {
  if (try_take(bytes)) return;
  refused_ = bytes;
  throw refusal(bytes);
}

void MemoryAccount::check(uint64_t bytes) {
  if (bytes <= limit_ + model_) return;
  refused_ = bytes;
  throw refusal(bytes);
}

Failure MemoryAccount::refusal(uint64_t bytes) const {
  return Failure(Exit::model, "MO0510",
                 text("a value of ", bytes, " bytes does not fit: values that are computed may take ",
                      limit_.load(), " bytes beside the ", model_.load(), " of the model, and ", used_.load(),
                      " are in use"))
      .with("hint",
            "--memory_limit SIZE allows more; without the node (--input, --output) there is no such value");
}

}  // namespace mo::core
