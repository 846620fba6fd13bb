#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <new>

#include "apps/plugin_check/tap.hpp"

namespace mo::app::checks {

GuardedBytes::GuardedBytes(const void* from, size_t bytes, Access access, size_t offset) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t used = (bytes + offset + page - 1) / page * page;
  length_ = used + page;
  map_ = mmap(nullptr, length_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map_ == MAP_FAILED) throw std::bad_alloc();
  auto* start = static_cast<std::byte*>(map_);
  data_ = start + used - bytes - offset;
  if (from != nullptr && bytes != 0) std::memcpy(data_, from, bytes);
  mprotect(start + used, page, PROT_NONE);
  if (access == Access::read_only && used != 0) mprotect(start, used, PROT_READ);
}

GuardedBytes::~GuardedBytes() { munmap(map_, length_); }

core::TensorRef guarded_copy(const mo_tensor& t, GuardedBytes::Access access, size_t offset) {
  auto bytes = std::make_unique<GuardedBytes>(t.data(), t.bytes, access, offset);
  auto copy = core::TensorRef::adopt(new mo_tensor);
  copy->type = t.type;
  copy->dims = t.dims;
  copy->known = bytes->data();
  copy->bytes = t.bytes;
  copy->release = [](void* user) { delete static_cast<GuardedBytes*>(user); };
  copy->user = bytes.release();
  return copy;
}

}  // namespace mo::app::checks
