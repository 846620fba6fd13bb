#include "core/registry/session.hpp"

namespace mo::core {

// Each goes behind those that were there before it, so the last ones can go without leaving a gap.
void Scratch::place_lent(uint32_t number) {
  size_t i = lent_[number - 1].hash % slots_.size();
  while (slots_[i] != 0) i = (i + 1) % slots_.size();
  slots_[i] = number;
}

void Scratch::note_lent(const Lent& lent) {
  constexpr size_t fewest = 64;
  lent_.push_back(lent);
  const auto number = static_cast<uint32_t>(lent_.size());
  if (2 * lent_.size() <= slots_.size()) return place_lent(number);
  slots_.assign(std::max(fewest, 2 * slots_.size()), 0);
  for (uint32_t n = 1; n <= number; ++n) place_lent(n);
}

uint64_t Scratch::mark() {
  const Extent now{blocks_.size(), used_, kept_.size(), tensors_.size(), lent_.size()};
  if (marks_.empty() || marks_.back() != now) marks_.push_back(now);
  return marks_.size();
}

bool Scratch::release_to(uint64_t mark) {
  if (mark == 0 || mark > marks_.size()) return false;
  marks_.resize(mark);
  const Extent then = marks_.back();
  let_go(then);
  blocks_.resize(then.blocks);
  used_ = then.used;
  return true;
}

void Scratch::let_go(const Extent& then) {
  for (; lent_.size() > then.lent; lent_.pop_back()) {
    size_t i = lent_.back().hash % slots_.size();
    while (slots_[i] != lent_.size()) i = (i + 1) % slots_.size();
    slots_[i] = 0;
  }
  kept_.resize(then.kept);
  tensors_.resize(then.tensors);
}

}  // namespace mo::core
