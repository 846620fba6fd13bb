// Tensors are views: of a mapped file, of memory a plugin lends, or of a buffer of our own; or they are lazy,
// and somebody computes their elements. Nobody copies weights.
#pragma once

#include "core/graph/memory_account.hpp"

#include <mo/shape.hpp>
#include <mo/types.hpp>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mo::core {

// What is handed over is not as it has to be, or names what is not there.
template <class... Args>
void demand(bool holds, const Args&... args) {
  if (!holds) fail_with(MO_INVALID_ARGUMENT, {}, args...);
}
class LazyElements;
}  // namespace mo::core

// A read-only mapping of a whole file. Lives as long as any tensor that looks into it.
struct mo_file {
  mo_file(std::string path_, int fd_, const std::byte* data_, uint64_t bytes_)
      : path(std::move(path_)), fd(fd_), data(data_), bytes(bytes_) {}
  ~mo_file();
  mo_file(const mo_file&) = delete;
  mo_file& operator=(const mo_file&) = delete;

  std::atomic<int> references{1};
  std::string path;
  int fd;  // -1: it is opened again when it is read, or is no file; see file_descriptor.hpp
  uint64_t device = 0, inode = 0;
  int64_t changed_at = 0;  // in nanoseconds, when it was mapped
  const std::byte* data;
  uint64_t bytes;
  bool is_file() const { return inode != 0; }
};

struct mo_tensor {
  struct Free {
    void operator()(std::byte* p) const { std::free(p); }
  };
  std::atomic<int> references{1};
  mo::ElementType type = mo::ElementType::unknown;
  std::vector<int64_t> dims;
  uint64_t bytes = 0;
  // The elements, where they are in memory or in a mapped file.
  mutable std::atomic<const std::byte*> known{nullptr};
  // Exactly one of these keeps the bytes alive, or computes them.
  std::unique_ptr<std::byte[], Free> buffer;  // calloc: untouched pages cost nothing
  mo_tensor* base = nullptr;                  // no view itself
  uint64_t base_offset = 0;
  void (*release)(void*) = nullptr;
  void* user = nullptr;
  std::unique_ptr<mo::core::LazyElements> lazy;
  // Where the bytes are in a file, when they are; for emission without touching memory, and for dumps.
  mo_file* file = nullptr;
  uint64_t file_offset = 0;
  mo::core::Charge charge;  // for the buffer

  mo_tensor();
  mo_tensor(const mo_tensor&) = delete;
  mo_tensor& operator=(const mo_tensor&) = delete;
  ~mo_tensor();

  // nullptr without bytes. Those of a lazy tensor are computed once, and stay in memory: std::bad_alloc, or
  // the mo::Error of who computes them. Whoever reads once, or a part, uses mo::core::read_bytes.
  const std::byte* data() const {
    const std::byte* d = known.load(std::memory_order_acquire);
    return d != nullptr || bytes == 0 ? d : computed();
  }

 private:
  const std::byte* computed() const;
};

namespace mo::core {

void retain(mo_file* f);
void release(mo_file* f);
void retain(mo_tensor* t);
void release(mo_tensor* t);

// Counted reference to a mo_file or a mo_tensor.
template <class T>
class Counted {
 public:
  Counted() = default;
  static Counted adopt(T* p) {
    Counted c;
    c.p_ = p;
    return c;
  }
  static Counted share(T* p) {
    if (p != nullptr) retain(p);
    return adopt(p);
  }
  Counted(const Counted& o) : p_(o.p_) {
    if (p_ != nullptr) retain(p_);
  }
  Counted(Counted&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
  Counted& operator=(Counted o) noexcept {
    std::swap(p_, o.p_);
    return *this;
  }
  ~Counted() {
    if (p_ != nullptr) release(p_);
  }
  T* get() const { return p_; }
  T* detach() { return std::exchange(p_, nullptr); }
  T* operator->() const { return p_; }
  T& operator*() const { return *p_; }
  explicit operator bool() const { return p_ != nullptr; }
  friend bool operator==(const Counted& a, const Counted& b) { return a.p_ == b.p_; }

 private:
  T* p_ = nullptr;
};

using TensorRef = Counted<mo_tensor>;
using FileRef = Counted<mo_file>;

// Bytes that a dense tensor of this type and shape takes. Errors (mo::Error): negative dimension, overflow, a
// type without a fixed size.
uint64_t dense_bytes(ElementType type, const int64_t* dims, int64_t rank);

// Zero-filled. `account` is charged for it, where there is one: Failure MO0510.
TensorRef make_tensor(ElementType type, std::vector<int64_t> dims,
                      std::shared_ptr<MemoryAccount> account = nullptr);
// For types with and without a fixed size.
TensorRef make_tensor_from_bytes(ElementType type, std::vector<int64_t> dims, std::string_view bytes);
TensorRef view_tensor(const TensorRef& base, uint64_t offset, ElementType type, std::vector<int64_t> dims);
TensorRef file_tensor(const FileRef& file, uint64_t offset, uint64_t bytes, ElementType type,
                      std::vector<int64_t> dims);

// Copies bytes inside of the tensor. What is in a file comes by a system call, not through the mapping: that
// is faster, does not make it resident, and a file cut short meanwhile is an error and not a signal. What is
// lazy is computed, and stays lazy. Errors: mo::Error.
void read_bytes(const mo_tensor&, uint64_t offset, size_t count, std::byte* to);

// The bytes are in memory, and neither in a file nor computed.
bool is_plain_memory(const mo_tensor&);
// Readers ask the file for it. Tiny ones lie on pages that loading has touched, or cost less than a system
// call.
bool in_file(const mo_tensor&);

// How many lazy tensors are asked, one by the other, for an element; 0: it is in memory or in a file.
uint32_t depth_of(const mo_tensor&);

// Same type, dims and bytes.
bool equal_contents(const mo_tensor& a, const mo_tensor& b);
inline Shape shape_of(const mo_tensor& t) {
  return Shape::dims_of(t.dims.data(), static_cast<int64_t>(t.dims.size()));
}

// Maps a file. Errors name the path and the reason.
FileRef map_file(const std::string& path);
// False: somebody has written to it since it was mapped. One that another file has replaced is as it was.
bool is_unchanged(const mo_file&);

}  // namespace mo::core
