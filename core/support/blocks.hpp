// A list that only grows, and whose items never move. Blocks are small, so that thousands of short lists are
// not far apart, and of one size, so that an index costs a shift. Each item begins in a cache line of its
// own; that is not asked of the allocator, which would leave small pieces between the blocks.
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
  T& operator[](size_t i) { return *at(i); }
  const T& operator[](size_t i) const { return *at(i); }
  template <class... Args>
  T& emplace_back(Args&&... args) {
    if (size_ == blocks_.size() * items) {
      size_t room = items * stride + line;
      Block& b = blocks_.emplace_back(new std::byte[room]);
      void* begin = b.memory.get();
      b.begin = static_cast<std::byte*>(std::align(line, items * stride, begin, room));
    }
    T* added = std::construct_at(at(size_), std::forward<Args>(args)...);
    ++size_;
    return *added;
  }

 private:
  static constexpr size_t items = 16, line = 64;
  static constexpr size_t stride = (sizeof(T) + line - 1) / line * line;
  struct Block {
    explicit Block(std::byte* m) : memory(m) {}
    std::unique_ptr<std::byte[]> memory;
    std::byte* begin = nullptr;
  };
  T* at(size_t i) const { return reinterpret_cast<T*>(blocks_[i / items].begin + i % items * stride); }

  std::vector<Block> blocks_;
  size_t size_ = 0;
};

}  // namespace mo::core
