// A list that only grows, and whose items never move. They lie in blocks of many, so that a walk over the
// list is one over memory.
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
  T& operator[](size_t i) { return blocks_[i / in_block].get()[i % in_block]; }
  const T& operator[](size_t i) const { return blocks_[i / in_block].get()[i % in_block]; }
  template <class... Args>
  T& emplace_back(Args&&... args) {
    if (size_ == blocks_.size() * in_block) blocks_.push_back(Block(std::allocator<T>().allocate(in_block)));
    T* added = std::construct_at(&(*this)[size_], std::forward<Args>(args)...);
    ++size_;
    return *added;
  }

 private:
  static constexpr size_t in_block = 256;
  struct Free {
    void operator()(T* block) const { std::allocator<T>().deallocate(block, in_block); }
  };
  using Block = std::unique_ptr<T, Free>;
  std::vector<Block> blocks_;
  size_t size_ = 0;
};

}  // namespace mo::core
