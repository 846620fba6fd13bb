#include "apps/files/temporary_files.hpp"

#include <limits.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

namespace mo::app {

namespace {

// A signal handler can follow no pointer into the heap, so the paths lie here. What finds no room is not
// remembered.
struct Slot {
  enum State : int { free, being_filled, file, folder };
  std::atomic<int> state{free};
  char path[PATH_MAX];
};
Slot slots[16];

}  // namespace

TemporaryFile::TemporaryFile(std::string path, Kind kind) : path_(std::move(path)) {
  if (path_.size() >= sizeof slots[0].path) return;
  for (int i = 0; i < static_cast<int>(std::size(slots)); ++i) {
    int before = Slot::free;
    if (!slots[i].state.compare_exchange_strong(before, Slot::being_filled)) continue;
    std::memcpy(slots[i].path, path_.c_str(), path_.size() + 1);
    slots[i].state.store(kind == Kind::folder ? Slot::folder : Slot::file);
    slot_ = i;
    return;
  }
}

void TemporaryFile::forget() noexcept {
  if (slot_ >= 0) slots[slot_].state.store(Slot::free);
  slot_ = -1;
}

void remove_temporary_files() noexcept {
  for (const Slot& s : slots)
    if (s.state.load() == Slot::file) unlink(s.path);
  // A folder may be in one that is remembered, too, and in any order.
  for (size_t round = 0; round < std::size(slots); ++round)
    for (const Slot& s : slots)
      if (s.state.load() == Slot::folder) rmdir(s.path);
}

}  // namespace mo::app
