// Messages between the host and the process of an isolated plugin: bytes that are written and read in one
// order.
#pragma once

#include <mo/plugin.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace mo::app::isolate {

// The other side said what it may not say.
struct Violation : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Memory that lives as long as the call it belongs to, or as what was marked in it.
class Arena {
 public:
  void* get(size_t bytes) {
    constexpr size_t unit = alignof(std::max_align_t), fewest = 4096;
    const size_t needed = (bytes + unit - 1) / unit * unit;
    if (blocks_.empty() || needed > blocks_.back().size - used_) {
      const size_t size = std::max(needed, fewest);
      blocks_.push_back({std::unique_ptr<std::byte[]>(new std::byte[size]), size});
      used_ = 0;
    }
    used_ += needed;
    return blocks_.back().memory.get() + (used_ - needed);
  }
  template <class T>
  T* array(size_t n) {
    if (n > PTRDIFF_MAX / sizeof(T)) throw std::bad_alloc();
    return static_cast<T*>(get(n * sizeof(T)));
  }
  struct Mark {
    size_t blocks = 0, used = 0;
    bool operator==(const Mark&) const = default;
  };
  Mark mark() const { return {blocks_.size(), used_}; }
  void release_to(const Mark& mark) {
    blocks_.resize(mark.blocks);
    used_ = mark.used;
  }
  mo_str keep(std::string_view s) {
    if (s.empty()) return {nullptr, 0};
    char* copy = array<char>(s.size());
    std::memcpy(copy, s.data(), s.size());
    return {copy, s.size()};
  }

 private:
  struct Block {
    std::unique_ptr<std::byte[]> memory;
    size_t size = 0;
  };
  std::vector<Block> blocks_;
  size_t used_ = 0;  // of the last one
};

class Writer {
 public:
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto bytes = std::as_bytes(std::span(&value, 1));
    bytes_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  void raw(const void* data, size_t size) { bytes_.append(static_cast<const char*>(data), size); }
  // A pointer that is NULL although the length is not 0, or a length that cannot be, arrives as it is.
  void string(mo_str s) {
    const bool there = s.data != nullptr && s.size <= longest_string;
    put<uint64_t>(s.size);
    put<uint8_t>(there);
    if (there) raw(s.data, s.size);
  }
  template <class T>
  void list(const T* items, uint64_t count) {
    const bool there = items != nullptr && count <= longest_list;
    put(count);
    put<uint8_t>(there);
    if (there) raw(items, count * sizeof(T));
  }
  const std::string& bytes() const { return bytes_; }

  static constexpr uint64_t longest_string = uint64_t{1} << 30;
  static constexpr uint64_t longest_list = uint64_t{1} << 28;

 private:
  std::string bytes_;
};

// Every length is checked against what is left. What it hands out lies in the message itself, or in the arena
// where it must be aligned.
class Reader {
 public:
  Reader(std::string_view bytes, Arena& arena) : at_(bytes), arena_(&arena) {}
  template <class T>
  T get() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    const auto bytes = std::as_writable_bytes(std::span(&value, 1));
    std::memcpy(bytes.data(), raw(bytes.size()), bytes.size());
    return value;
  }
  const char* raw(uint64_t size) {
    if (size > at_.size()) throw Violation("a message is shorter than it must be");
    const char* data = at_.data();
    at_.remove_prefix(size);
    return data;
  }
  mo_str string() {
    const auto size = get<uint64_t>();
    const bool there = flag();
    return {there ? raw(size) : nullptr, size};
  }
  std::string_view view() {
    const mo_str s = string();
    return s.data == nullptr ? std::string_view() : std::string_view(s.data, s.size);
  }
  template <class T>
  const T* list(uint64_t& count) {
    count = get<uint64_t>();
    if (!flag()) return nullptr;
    if (count > at_.size() / sizeof(T)) throw Violation("a list is longer than its message");
    T* items = arena_->array<T>(count);
    if (count != 0) std::memcpy(static_cast<void*>(items), raw(count * sizeof(T)), count * sizeof(T));
    return items;
  }
  // Room for a list of `count` structs, each of which takes at least one byte of the message.
  template <class T>
  T* room(uint64_t count) {
    if (count > at_.size()) throw Violation("a list is longer than its message");
    return arena_->array<T>(count);
  }
  bool flag() {
    const auto value = get<uint8_t>();
    if (value > 1) throw Violation("a flag is neither 0 nor 1");
    return value == 1;
  }
  Arena& arena() const { return *arena_; }
  void end() const {
    if (!at_.empty()) throw Violation("a message is longer than it must be");
  }

 private:
  std::string_view at_;
  Arena* arena_;
};

// What each process does with things that are no plain values.
class Side {
 public:
  virtual void put_tensor(Writer&, mo_tensor*) = 0;
  // Borrowed for the length of the call.
  virtual mo_tensor* get_tensor(Reader&) = 0;
  // The receiver's own reference, which it has to give back.
  virtual mo_tensor* own_tensor(Reader&) = 0;
  virtual void drop_tensor(mo_tensor*) = 0;
  virtual void put_file(Writer&, mo_file*) = 0;
  virtual mo_file* get_file(Reader&) = 0;
  virtual mo_file* own_file(Reader&) = 0;
  virtual void drop_file(mo_file*) = 0;
  // Text that lives as long as the session.
  virtual mo_str keep(std::string_view) = 0;

 protected:
  ~Side() = default;
};

}  // namespace mo::app::isolate
