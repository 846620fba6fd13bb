// Elements of a tensor that are computed when somebody reads them.
#pragma once

#include "core/graph/tensor.hpp"

#include <mutex>
#include <thread>

namespace mo::core {

// Where they come from.
class ElementSource {
 public:
  ElementSource() = default;
  ElementSource(const ElementSource&) = delete;
  ElementSource& operator=(const ElementSource&) = delete;
  virtual ~ElementSource() = default;
  // Whole elements, to a place that is aligned for them; never from two threads at once. Errors: mo::Error.
  virtual void read(uint64_t offset, size_t count, std::byte* to) = 0;
};

// Of one tensor. Each function may be called from any thread.
class LazyElements {
 public:
  // `bases` are what the source reads.
  LazyElements(std::unique_ptr<ElementSource> source, std::vector<TensorRef> bases,
               std::shared_ptr<MemoryAccount> account);

  // How many sources are asked, one by the other, for an element.
  uint32_t depth() const { return depth_; }
  void read(const mo_tensor&, uint64_t offset, size_t count, std::byte* to);
  // All of them, which stay in memory and are charged; the source and its bases are let go of.
  const std::byte* compute(const mo_tensor&);

 private:
  class Turn;
  void read_source(const mo_tensor&, uint64_t offset, size_t count, std::byte* to);
  const std::byte* compute_now(const mo_tensor&);

  std::mutex mutex_;
  std::atomic<std::thread::id> reader_{};
  std::unique_ptr<ElementSource> source_;
  std::vector<TensorRef> bases_;
  const uint32_t depth_;
  uint64_t bytes_read_ = 0;
  const std::shared_ptr<MemoryAccount> account_;
  Charge charge_;
  std::unique_ptr<std::byte[], mo_tensor::Free> buffer_;
};

// A chain that would get longer than a few dozens is computed here: std::bad_alloc. `bytes`: of strings; else
// what type and dims need. `account`, where there is one, is charged for elements that come to stay in
// memory; Failure MO0510 when they never could.
TensorRef lazy_tensor(ElementType type, std::vector<int64_t> dims, uint64_t bytes,
                      std::unique_ptr<ElementSource> source, std::vector<TensorRef> bases,
                      std::shared_ptr<MemoryAccount> account = nullptr);

}  // namespace mo::core
