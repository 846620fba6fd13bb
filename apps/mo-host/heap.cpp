#include "apps/mo-host/heap.hpp"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

namespace mo::app {

namespace {

constexpr int growth = 256 << 20;  // of addresses: memory comes when it is touched
constexpr int usual_growth = 1 << 20;
constexpr int largest_in_heap = 32 << 20;  // the most that glibc allows
constexpr std::uintptr_t large_page = std::uintptr_t{2} << 20;

std::uintptr_t end_of_heap() { return reinterpret_cast<std::uintptr_t>(sbrk(0)); }

}  // namespace

void use_large_pages() {
  mallopt(M_MMAP_THRESHOLD, largest_in_heap);
  mallopt(M_TRIM_THRESHOLD, INT32_MAX);  // what is freed is used again: the heap never shrinks
  mallopt(M_TOP_PAD, growth);
  const std::uintptr_t old_end = end_of_heap();
  void* volatile block = std::malloc(largest_in_heap / 2);  // more than any hole: the heap grows
  std::free(block);
  mallopt(M_TOP_PAD, usual_growth);
  const std::uintptr_t begin = (old_end + large_page - 1) / large_page * large_page;
  const std::uintptr_t end = end_of_heap() / large_page * large_page;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

}  // namespace mo::app
