#include "core/graph/resident_pages.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <mutex>

#include "core/graph/tensor.hpp"

namespace mo::core {

namespace {

// What is given back at once.
constexpr uint64_t block = uint64_t{1} << 21;
constexpr uint64_t most_resident = 16 * block;

struct Range {
  const mo_file* file = nullptr;
  uint64_t begin = 0, end = 0;  // multiples of `block`
};

// The ranges that were looked at last, of all files; a ring.
class ResidentPages {
 public:
  void add(const Range& r) {
    const std::lock_guard lock(mutex_);
    for (size_t i = 0; i < count_; ++i) {
      const Range& known = at(i);
      if (known.file == r.file && known.begin <= r.begin && r.end <= known.end) return;
    }
    if (count_ == ranges_.size()) drop_oldest();
    at(count_++) = r;
    resident_ += r.end - r.begin;
    while (resident_ > most_resident && count_ > 1) drop_oldest();
  }

  void forget(const mo_file& file) noexcept {
    const std::lock_guard lock(mutex_);
    for (size_t i = 0; i < count_; ++i)
      if (at(i).file == &file) at(i).file = nullptr;
  }

 private:
  Range& at(size_t i) { return ranges_[(first_ + i) % ranges_.size()]; }

  void drop_oldest() {
    const Range r = at(0);
    first_ = (first_ + 1) % ranges_.size();
    --count_;
    resident_ -= r.end - r.begin;
    if (r.file == nullptr) return;
    std::byte* data = const_cast<std::byte*>(r.file->data) + r.begin;
    // Nobody writes to the mapping, so its pages come back as they were.
    (void)madvise(data, std::min(r.end, r.file->bytes) - r.begin, MADV_DONTNEED);
  }

  std::mutex mutex_;
  std::array<Range, 16> ranges_;
  size_t first_ = 0, count_ = 0;
  uint64_t resident_ = 0;
};

// Files may end after everything else.
ResidentPages& resident_pages() {
  static auto& all = *new ResidentPages;
  return all;
}

}  // namespace

void looked_at(const mo_file& file, uint64_t offset, uint64_t bytes) {
  if (!file.is_file() || bytes == 0) return;
  resident_pages().add({&file, offset / block * block, (offset + bytes + block - 1) / block * block});
}

void forget_pages(const mo_file& file) noexcept {
  if (file.is_file()) resident_pages().forget(file);
}

}  // namespace mo::core
