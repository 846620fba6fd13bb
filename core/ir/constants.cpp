#include "core/ir/constants.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include <mo/text.hpp>

#include "core/support/failure.hpp"
#include "core/support/quiet_thread.hpp"

namespace mo::core {

namespace {

// Readers map the file and use weights in place.
constexpr uint64_t alignment = 64;

// What is worth a turn of a thread, and what is worth two of them.
constexpr uint64_t worth_a_turn = uint64_t{1} << 22, worth_two = uint64_t{1} << 24;

Failure cancelled() { return {Exit::model, "MO0721", "cancelled while the weights were written"}; }

// What the threads that write have in common.
struct Work {
  explicit Work(const ConstantPlan& plan) : blobs(plan.blobs), total(plan.bytes) {}
  std::span<const Blob> blobs;
  uint64_t total;
  size_t next = 0;
  std::mutex mutex;
  std::atomic<uint64_t> written = 0;
  std::atomic<bool> failed = false;
  std::exception_ptr problem;  // the first one

  // Small ones together, as they share windows; none: all are taken.
  std::span<const Blob> take() {
    const std::lock_guard lock(mutex);
    const size_t first = next;
    for (uint64_t bytes = 0; next < blobs.size() && bytes < worth_a_turn; ++next)
      bytes += blobs[next].tensor->bytes;
    return blobs.subspan(first, next - first);
  }
  // What lies between is written, too.
  uint64_t end_before(std::span<const Blob> taken) const {
    const Blob* const before = taken.data() == blobs.data() ? nullptr : taken.data() - 1;
    return before == nullptr ? 0 : before->offset + before->tensor->bytes;
  }
  void fail() noexcept {
    const std::lock_guard lock(mutex);
    if (!failed) problem = std::current_exception();
    failed = true;
  }
};

// Everything goes through buffers of one size, so that the file is written in whole, aligned windows, however
// small the constants are. Measured against copy_file_range() and write() from a mapping:
// tests/bench/README.md.
class BinWriter {
 public:
  BinWriter(const WriteAt& write_at, Work& work, const WriteProgress& progress)
      : write_at_(write_at), work_(work), progress_(progress) {}

  void run() {
    for (auto blobs = work_.take(); !blobs.empty(); blobs = work_.take()) {
      begin_ = work_.end_before(blobs);
      for (const Blob& b : blobs) put(b);
      if (used_ != 0) write();
    }
  }

 private:
  static constexpr size_t window = TensorReader::window;
  static_assert(window % alignment == 0);

  void put(const Blob& blob) {
    const auto gap = static_cast<size_t>(blob.offset - begin_ - used_);  // within the window
    std::memset(buffer_.get() + used_, 0, gap);
    advance(gap);
    for (uint64_t done = 0; done < blob.tensor->bytes;) {
      const auto n = static_cast<size_t>(std::min<uint64_t>(room(), blob.tensor->bytes - done));
      TensorReader::read(*blob.tensor, done, n, buffer_.get() + used_);
      advance(n);
      done += n;
    }
  }

  size_t room() const { return window - static_cast<size_t>((begin_ + used_) % window); }

  void advance(size_t n) {
    const bool full = n == room();
    used_ += n;
    if (!full) return;
    write();
    if (progress_ && !progress_(work_.written, work_.total)) throw cancelled();
  }

  void write() {
    if (work_.failed) std::rethrow_exception(work_.problem);
    write_at_(begin_, {reinterpret_cast<const char*>(buffer_.get()), used_});
    work_.written += used_;
    begin_ += std::exchange(used_, 0);
  }

  struct Free {
    void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{4096}); }
  };
  const WriteAt& write_at_;
  Work& work_;
  const WriteProgress& progress_;
  std::unique_ptr<std::byte[], Free> buffer_{new (std::align_val_t{4096}) std::byte[window]};
  size_t used_ = 0;     // of the window that is filled
  uint64_t begin_ = 0;  // its place in the file
};

// Two threads read, compute and write, each its blobs: what one has just computed is in its processor's
// cache.
bool is_for_two(const ConstantPlan& plan) {
  return plan.bytes >= worth_two && plan.blobs.size() > 1 && std::thread::hardware_concurrency() > 1;
}

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

void write_constants(const WriteAt& write_at, const ConstantPlan& plan, const WriteProgress& progress) {
  Work work(plan);
  const auto write = [&](const WriteProgress& told) {
    try {
      BinWriter(write_at, work, told).run();
    } catch (...) {
      work.fail();
    }
  };
  std::thread other;
  try {
    if (is_for_two(plan)) other = start_quiet_thread([&] { write({}); });
  } catch (const std::system_error&) {  // this one writes all
  }
  write(progress);
  if (other.joinable()) other.join();
  if (work.failed) std::rethrow_exception(work.problem);
  if (progress && !progress(work.total, work.total)) throw cancelled();
}

}  // namespace mo::core
