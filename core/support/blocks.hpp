// A list that only grows, and whose items never move. They lie in blocks, each twice as large as the one
// before: a walk over a long list is one over memory, and thousands of short ones are not far apart.
#pragma once

#include <bit>
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
  T& operator[](size_t i) { return blocks_[block_of(i)].get()[i + first - items_of(block_of(i))]; }
  const T& operator[](size_t i) const {
    return blocks_[block_of(i)].get()[i + first - items_of(block_of(i))];
  }
  template <class... Args>
  T& emplace_back(Args&&... args) {
    if (const size_t count = items_of(blocks_.size()); size_ + first == count)
      blocks_.push_back(Block(std::allocator<T>().allocate(count), {count}));
    T* added = std::construct_at(&(*this)[size_], std::forward<Args>(args)...);
    ++size_;
    return *added;
  }

 private:
  // Block k has as many items as all before it, and `first` more: i + first says by its highest bit where i
  // is.
  static constexpr size_t first = 4;
  static size_t block_of(size_t i) { return static_cast<size_t>(std::bit_width((i + first) / first)) - 1; }
  static size_t items_of(size_t block) { return first << block; }
  struct Free {
    size_t count;
    void operator()(T* block) const { std::allocator<T>().deallocate(block, count); }
  };
  using Block = std::unique_ptr<T, Free>;
  std::vector<Block> blocks_;
  size_t size_ = 0;
};

}  // namespace mo::core
