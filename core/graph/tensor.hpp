// Tensors are views: of a mapped file, of memory a plugin lends, or of a buffer of our own. Nobody copies
// weights.
#pragma once

#include <mo/shape.hpp>
#include <mo/types.hpp>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// A read-only mapping of a whole file. Lives as long as any tensor that looks into it.
struct mo_file {
  mo_file(std::string path_, int fd_, const std::byte* data_, uint64_t bytes_)
      : path(std::move(path_)), fd(fd_), data(data_), bytes(bytes_) {}
  ~mo_file();
  mo_file(const mo_file&) = delete;
  mo_file& operator=(const mo_file&) = delete;

  std::atomic<int> references{1};
  std::string path;
  int fd;
  const std::byte* data;
  uint64_t bytes;
};

struct mo_tensor {
  struct Free {
    void operator()(std::byte* p) const { std::free(p); }
  };
  std::atomic<int> references{1};
  mo::ElementType type = mo::ElementType::unknown;
  std::vector<int64_t> dims;
  const std::byte* data = nullptr;
  uint64_t bytes = 0;
  // Exactly one of these keeps the bytes alive.
  std::unique_ptr<std::byte[], Free> buffer;  // calloc: untouched pages cost nothing
  mo_tensor* base = nullptr;
  void (*release)(void*) = nullptr;
  void* user = nullptr;
  // Where the bytes are in a file, when they are; for emission without touching memory, and for dumps.
  mo_file* file = nullptr;
  uint64_t file_offset = 0;

  mo_tensor() = default;
  mo_tensor(const mo_tensor&) = delete;
  mo_tensor& operator=(const mo_tensor&) = delete;
  ~mo_tensor();
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

TensorRef make_tensor(ElementType type, std::vector<int64_t> dims);  // zero-filled
// For types with and without a fixed size.
TensorRef make_tensor_from_bytes(ElementType type, std::vector<int64_t> dims, std::string_view bytes);
TensorRef view_tensor(const TensorRef& base, uint64_t offset, ElementType type, std::vector<int64_t> dims);
TensorRef file_tensor(const FileRef& file, uint64_t offset, uint64_t bytes, ElementType type,
                      std::vector<int64_t> dims);

// Same type, dims and bytes.
bool equal_contents(const mo_tensor& a, const mo_tensor& b);
inline Shape shape_of(const mo_tensor& t) {
  return Shape::dims_of(t.dims.data(), static_cast<int64_t>(t.dims.size()));
}

// Maps a file. Errors name the path and the reason.
FileRef map_file(const std::string& path);

}  // namespace mo::core
