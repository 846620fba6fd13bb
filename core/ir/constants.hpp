// The .bin: which constants share bytes, where they are, and how they get there.
#pragma once

#include "core/graph/tensor.hpp"

#include <functional>
#include <span>
#include <string_view>

namespace mo::core {

// Reads tensors in pieces. Bytes of a mapped file come by a system call, not through the mapping: that is
// faster, does not make them resident, and a file cut short meanwhile is an error and not a signal.
class TensorReader {
 public:
  static constexpr size_t window = size_t{1} << 16;
  // `count` bytes, at most a window, valid until the next call.
  const std::byte* read(const mo_tensor&, uint64_t offset, size_t count);
  // The same into a buffer of the caller.
  static void read(const mo_tensor&, uint64_t offset, size_t count, std::byte* to);

 private:
  std::unique_ptr<std::byte[]> buffer_;
};

struct Blob {
  const mo_tensor* tensor;
  uint64_t offset;  // in the .bin
};

struct ConstantPlan {
  std::vector<Blob> blobs;        // distinct ones, by offset
  std::vector<uint64_t> offsets;  // of each constant
  uint64_t bytes = 0;
  size_t shared = 0;  // constants that use another one's blob
};

// Constants of equal type, shape and bytes share a blob. Blobs stand in order of first use, 64-byte aligned.
ConstantPlan plan_constants(std::span<const mo_tensor* const>);

// For each tensor the first of the list that has the same type, shape and bytes.
std::vector<uint32_t> find_equal(std::span<const mo_tensor* const>);

// Takes bytes for a place of the .bin; of two threads at once.
using WriteAt = std::function<void(uint64_t offset, std::string_view bytes)>;
// `progress` is told how many bytes are written; when it answers false, the writing ends with a Failure.
using WriteProgress = std::function<bool(uint64_t done, uint64_t total)>;
void write_constants(const WriteAt&, const ConstantPlan&, const WriteProgress& progress = {});

}  // namespace mo::core
