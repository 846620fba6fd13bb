// An open-addressed set of numbers whose keys are stored elsewhere: one cache line per look-up where a
// node-based map needs three. The owner hashes and compares; numbers are below 2^32 - 2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mo::core {

class FlatIndex {
 public:
  static constexpr uint32_t none = ~uint32_t{0};

  // The number for which equal(number) holds, among those with this hash.
  template <class Equal>
  uint32_t find(uint32_t hash, Equal equal) const {
    if (slots_.empty()) return none;
    for (std::size_t i = hash & mask();; i = (i + 1) & mask()) {
      const Slot& s = slots_[i];
      if (s.number == none) return none;
      if (s.hash == hash && s.number != erased && equal(s.number)) return s.number;
    }
  }
  void insert(uint32_t hash, uint32_t number) {
    if ((used_ + 1) * 2 > slots_.size()) grow();
    // An erased slot will do. Keys lie densely, so that the next free one can be far: a name that goes from
    // node to node would be looked for through all others.
    std::size_t i = hash & mask();
    while (slots_[i].number < erased) i = (i + 1) & mask();
    if (slots_[i].number == none) ++used_;
    slots_[i] = {hash, number};
    ++live_;
  }
  void erase(uint32_t hash, uint32_t number) {
    if (slots_.empty()) return;
    for (std::size_t i = hash & mask(); slots_[i].number != none; i = (i + 1) & mask())
      if (slots_[i].number == number) {
        slots_[i].number = erased;
        --live_;
        return;
      }
  }

 private:
  static constexpr uint32_t erased = none - 1;
  struct Slot {
    uint32_t hash = 0, number = none;
  };
  std::size_t mask() const { return slots_.size() - 1; }
  void put(uint32_t hash, uint32_t number) {
    std::size_t i = hash & mask();
    while (slots_[i].number != none) i = (i + 1) & mask();
    slots_[i] = {hash, number};
  }
  void grow() {
    std::vector<Slot> old(live_ * 4 < 16 ? 16 : slots_.size() * (live_ * 4 > slots_.size() ? 2 : 1));
    old.swap(slots_);
    used_ = live_;
    for (const Slot& s : old)
      if (s.number < erased) put(s.hash, s.number);
  }
  std::vector<Slot> slots_;  // a power of two, at most half full
  std::size_t used_ = 0, live_ = 0;
};

}  // namespace mo::core
