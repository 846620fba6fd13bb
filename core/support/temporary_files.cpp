#include "core/support/temporary_files.hpp"

#include <limits.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

namespace mo::core {

namespace {

// A signal handler can follow no pointer into the heap, so the paths lie here. What finds no room is not
// remembered.
struct Slot {
  std::atomic<int> state{0};  // 0 free, 1 being filled, 2 a path
  char path[PATH_MAX];
};
Slot slots[16];

}  // namespace

TemporaryFile::TemporaryFile(std::string path) : path_(std::move(path)) {
  if (path_.size() >= sizeof slots[0].path) return;
  for (int i = 0; i < static_cast<int>(std::size(slots)); ++i) {
    int free = 0;
    if (!slots[i].state.compare_exchange_strong(free, 1)) continue;
    std::memcpy(slots[i].path, path_.c_str(), path_.size() + 1);
    slots[i].state.store(2);
    slot_ = i;
    return;
  }
}

void TemporaryFile::forget() noexcept {
  if (slot_ >= 0) slots[slot_].state.store(0);
  slot_ = -1;
}

void remove_temporary_files() noexcept {
  for (Slot& s : slots)
    if (s.state.load() == 2) unlink(s.path);
}

}  // namespace mo::core
