// A list that only grows, and whose items never move. Blocks are small, so that thousands of short lists are
// not far apart, and of one size, so that an index costs a shift.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace mo::core {

template <class T>
class Blocks {
 public:
  Blocks() = default;
  ~Blocks() {
    while (size_ != 0) std::destroy_at(&(*this)[--size_]);
  }
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  size_t size() const { return size_; }
  T& operator[](size_t i) { return blocks_[i / items].get()[i % items]; }
  const T& operator[](size_t i) const { return blocks_[i / items].get()[i % items]; }
  template <class... Args>
  T& emplace_back(Args&&... args) {
    if (size_ == blocks_.size() * items) blocks_.push_back(Block(std::allocator<T>().allocate(items)));
    T* added = std::construct_at(&(*this)[size_], std::forward<Args>(args)...);
    ++size_;
    return *added;
  }

 private:
  static constexpr size_t items = 16;
  struct Free {
    void operator()(T* block) const { std::allocator<T>().deallocate(block, items); }
  };
  using Block = std::unique_ptr<T, Free>;
  std::vector<Block> blocks_;
  size_t size_ = 0;
};

}  // namespace mo::core
