#include "core/graph/lazy_elements.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>

#include "core/support/failure.hpp"

namespace mo::core {

namespace {

// Each link of a chain is a few frames of a stack.
constexpr uint32_t longest_chain = 32;
// Whoever reads more often than this is better off with the elements in memory. So the cost of a chain is
// that of computing each of its tensors a few times, however often the last one is read.
constexpr uint64_t most_readings = 8;
// Elements are computed in pieces that stay in the cache of a processor.
constexpr uint64_t piece = uint64_t{1} << 18;
// No process has more: allocators that end the program instead of failing are not asked.
constexpr uint64_t address_space = uint64_t{1} << 47;
constexpr size_t buffer_alignment = alignof(std::max_align_t);

uint64_t width_of(ElementType t) { return bits(t) < 16 ? 1 : static_cast<uint64_t>(bits(t)) / 8; }

uint32_t depth_over(const std::vector<TensorRef>& bases) {
  uint32_t deepest = 0;
  for (const TensorRef& b : bases) deepest = std::max(deepest, depth_of(*b));
  return deepest + 1;
}

}  // namespace

// One thread at a time; a tensor that is asked for its own elements by its source would wait for ever.
class LazyElements::Turn {
 public:
  explicit Turn(LazyElements& of) : of_(of) {
    if (of.reader_.load(std::memory_order_relaxed) == std::this_thread::get_id())
      throw Error("a lazy tensor reads itself", MO_INVALID_ARGUMENT);
    of.mutex_.lock();
    of.reader_.store(std::this_thread::get_id(), std::memory_order_relaxed);
  }
  ~Turn() {
    of_.reader_.store({}, std::memory_order_relaxed);
    of_.mutex_.unlock();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  LazyElements& of_;
};

LazyElements::LazyElements(std::unique_ptr<ElementSource> source, std::vector<TensorRef> bases,
                           std::shared_ptr<MemoryAccount> account)
    : source_(std::move(source)),
      bases_(std::move(bases)),
      depth_(depth_over(bases_)),
      account_(std::move(account)) {}

void LazyElements::read(const mo_tensor& t, uint64_t offset, size_t count, std::byte* to) {
  const Turn turn(*this);
  const std::byte* known = t.known.load(std::memory_order_acquire);
  if (known == nullptr && bytes_read_ / most_readings >= t.bytes) {
    try {
      known = compute_now(t);
    } catch (const std::bad_alloc&) {
      bytes_read_ = 0;  // then it stays slow
    } catch (const Failure&) {
      bytes_read_ = 0;
    }
  }
  if (known != nullptr) {
    std::memcpy(to, known + offset, count);
    return;
  }
  bytes_read_ += count;
  read_source(t, offset, count, to);
}

void LazyElements::read_source(const mo_tensor& t, uint64_t offset, size_t count, std::byte* to) {
  const uint64_t width = width_of(t.type);
  if (offset % width == 0 && count % width == 0 && reinterpret_cast<uintptr_t>(to) % width == 0)
    return source_->read(offset, count, to);
  // Parts of elements, or a place that is not aligned.
  const uint64_t first = offset / width * width, last = (offset + count + width - 1) / width * width;
  alignas(buffer_alignment) std::byte bounce[4096];
  for (uint64_t at = first; at < last; at += sizeof bounce) {
    const auto n = static_cast<size_t>(std::min<uint64_t>(sizeof bounce, last - at));
    source_->read(at, n, bounce);
    const uint64_t begin = std::max(at, offset), end = std::min(at + n, offset + count);
    std::memcpy(to + (begin - offset), bounce + (begin - at), static_cast<size_t>(end - begin));
  }
}

const std::byte* LazyElements::compute(const mo_tensor& t) {
  const Turn turn(*this);
  const std::byte* known = t.known.load(std::memory_order_acquire);
  return known != nullptr ? known : compute_now(t);
}

const std::byte* LazyElements::compute_now(const mo_tensor& t) {
  if (t.bytes > address_space) throw std::bad_alloc();
  Charge charge(account_, t.bytes);
  std::unique_ptr<std::byte[], mo_tensor::Free> buffer(static_cast<std::byte*>(std::malloc(t.bytes)));
  if (buffer == nullptr) throw std::bad_alloc();
  for (uint64_t at = 0; at < t.bytes; at += piece)
    source_->read(at, static_cast<size_t>(std::min(piece, t.bytes - at)), buffer.get() + at);
  buffer_ = std::move(buffer);
  charge_ = std::move(charge);
  t.known.store(buffer_.get(), std::memory_order_release);
  source_.reset();
  bases_.clear();
  return buffer_.get();
}

TensorRef lazy_tensor(ElementType type, std::vector<int64_t> dims, uint64_t bytes,
                      std::unique_ptr<ElementSource> source, std::vector<TensorRef> bases,
                      std::shared_ptr<MemoryAccount> account) {
  auto t = TensorRef::adopt(new mo_tensor);
  t->type = type;
  t->bytes = bits(type) == 0 ? bytes : dense_bytes(type, dims.data(), static_cast<int64_t>(dims.size()));
  t->dims = std::move(dims);
  if (t->bytes == 0) return t;
  if (account != nullptr) account->check(t->bytes);
  t->lazy = std::make_unique<LazyElements>(std::move(source), std::move(bases), std::move(account));
  if (t->lazy->depth() > longest_chain) (void)t->data();
  return t;
}

}  // namespace mo::core
