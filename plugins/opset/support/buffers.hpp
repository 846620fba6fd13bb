// Whole tensors as arrays to compute with: the elements themselves where type and alignment allow it, else a
// converted copy.
#pragma once

#include "support/elements.hpp"

#include <memory>

namespace mo::opset {

template <class E>
class Numbers {
 public:
  using T = typename E::computed;
  explicit Numbers(const Tensor& t) : tensor_(t) {
    if constexpr (std::is_same_v<typename E::stored, T>) data_ = t.aligned<T>();
    if (data_ != nullptr || t.size() == 0) return;
    copy_.reset(new T[t.size()]);
    for (size_t i = 0, n = t.size(); i < n; ++i) copy_[i] = E::get(t.data(), i);
    data_ = copy_.get();
  }
  const T* data() const { return data_; }
  size_t size() const { return tensor_.size(); }
  const T& operator[](size_t i) const { return data_[i]; }

 private:
  Tensor tensor_;
  std::unique_ptr<T[]> copy_;
  const T* data_ = nullptr;
};

// The elements of a result, all 0 at first; `tensor` converts them when they are complete.
template <class E>
class Results {
 public:
  using T = typename E::computed;
  Results(const EvalContext& c, const std::vector<int64_t>& dims, uint64_t input_bytes) {
    std::tie(tensor_, bytes_) = create_grown(c, E::type, dims, input_bytes);
    size_ = tensor_.size();
    if constexpr (std::is_same_v<typename E::stored, T>) {
      data_ = static_cast<T*>(bytes_);  // the host aligns what it creates
    } else {
      own_.reset(new T[size_]());
      data_ = own_.get();
    }
  }
  T* data() { return data_; }
  size_t size() const { return size_; }
  T& operator[](size_t i) { return data_[i]; }
  Tensor tensor() {
    if (own_)
      for (size_t i = 0; i < size_; ++i) E::put(bytes_, i, own_[i]);
    own_.reset();
    return tensor_;
  }

 private:
  Tensor tensor_;
  void* bytes_ = nullptr;
  std::unique_ptr<T[]> own_;
  T* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace mo::opset
