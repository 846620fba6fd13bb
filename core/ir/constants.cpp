#include "core/ir/constants.hpp"

#include <algorithm>
#include <cstring>

#include <mo/text.hpp>

#include "core/support/write_behind.hpp"

namespace mo::core {

namespace {

// Readers map the file and use weights in place.
constexpr uint64_t alignment = 64;

// Everything goes through buffers of one size, so that the file is written in whole, aligned windows, however
// small the constants are. Measured against copy_file_range() and write() from a mapping:
// tests/bench/README.md.
class BinWriter {
 public:
  BinWriter(OutputFile& file, uint64_t total, const WriteProgress& progress)
      : file_(file, total), total_(total), progress_(progress) {}

  void put(const Blob& blob) {
    pad(blob.offset);
    for (uint64_t done = 0; done < blob.tensor->bytes;) {
      const auto n = static_cast<size_t>(std::min<uint64_t>(window - used_, blob.tensor->bytes - done));
      TensorReader::read(*blob.tensor, done, n, file_.next() + used_);
      advance(n);
      done += n;
    }
  }

  // Zeros up to the end of the file.
  void finish(uint64_t total) {
    pad(total);
    if (used_ != 0) hand_over();
    file_.finish();
    tell();
  }

 private:
  static constexpr size_t window = WriteBehind::window;
  static_assert(window <= TensorReader::window);

  void hand_over() {
    file_.hand_over(used_);
    begin_ += used_;
    used_ = 0;
  }

  void tell() {
    if (progress_ && !progress_(file_.written(), total_))
      throw Failure(Exit::model, "MO0721", "cancelled while the weights were written");
  }

  void pad(uint64_t offset) {
    const auto n = static_cast<size_t>(offset - begin_ - used_);
    for (size_t left = n; left != 0;) {
      const size_t now = std::min(left, window - used_);
      std::memset(file_.next() + used_, 0, now);
      advance(now);
      left -= now;
    }
  }

  void advance(size_t n) {
    used_ += n;
    if (used_ != window) return;
    hand_over();
    tell();
  }

  WriteBehind file_;
  uint64_t total_;
  const WriteProgress& progress_;
  size_t used_ = 0;     // of the window that is filled
  uint64_t begin_ = 0;  // its place in the file
};

}  // namespace

const std::byte* TensorReader::read(const mo_tensor& t, uint64_t offset, size_t count) {
  if (is_plain_memory(t)) return t.data() + offset;
  if (buffer_ == nullptr) buffer_.reset(new std::byte[window]);
  read(t, offset, count, buffer_.get());
  return buffer_.get();
}

void TensorReader::read(const mo_tensor& t, uint64_t offset, size_t count, std::byte* to) {
  try {
    read_bytes(t, offset, count, to);
  } catch (const Error& e) {
    throw Failure(Exit::model, "MO0720", e.what());
  }
}

ConstantPlan plan_constants(std::span<const mo_tensor* const> constants) {
  ConstantPlan plan;
  plan.offsets.resize(constants.size());
  const std::vector<uint32_t> first = find_equal(constants);
  for (size_t i = 0; i < constants.size(); ++i) {
    if (first[i] != i) {
      plan.offsets[i] = plan.offsets[first[i]];
      ++plan.shared;
      continue;
    }
    plan.offsets[i] = (plan.bytes + alignment - 1) / alignment * alignment;
    if (constants[i]->bytes == 0) continue;
    plan.blobs.push_back({constants[i], plan.offsets[i]});
    plan.bytes = plan.offsets[i] + constants[i]->bytes;
  }
  // A constant without bytes may have been given a place behind the last one.
  for (uint64_t& offset : plan.offsets) offset = std::min(offset, plan.bytes);
  // Readers refuse an empty file beside constants, also beside such as have no elements.
  if (!constants.empty()) plan.bytes = std::max<uint64_t>(plan.bytes, 1);
  return plan;
}

void write_constants(OutputFile& file, const ConstantPlan& plan, const WriteProgress& progress) {
  file.reserve(plan.bytes);
  BinWriter writer(file, plan.bytes, progress);
  for (const Blob& blob : plan.blobs) writer.put(blob);
  writer.finish(plan.bytes);
}

}  // namespace mo::core
