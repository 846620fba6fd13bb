#include "apps/isolate/proxies.hpp"

#include <sys/mman.h>
#include <unistd.h>

namespace mo::app::isolate {

Mapping::Mapping(const core::Descriptor& file, uint64_t offset, uint64_t bytes) {
  const uint64_t before = offset % static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  length_ = before + bytes;
  start_ = mmap(nullptr, length_, PROT_READ, MAP_PRIVATE, file.get(), static_cast<off_t>(offset - before));
  if (start_ == MAP_FAILED) {
    start_ = nullptr;
    throw std::bad_alloc();
  }
  data_ = static_cast<const char*>(start_) + before;
}

Mapping& Mapping::operator=(Mapping&& o) noexcept {
  std::swap(start_, o.start_);
  std::swap(length_, o.length_);
  std::swap(data_, o.data_);
  return *this;
}

Mapping::~Mapping() {
  if (start_ != nullptr) munmap(start_, length_);
}

void Proxies::put_tensor(Writer& w, mo_tensor* t) {
  TensorProxy* p = proxy_of(t);
  if (p == nullptr) return w.put<uint8_t>(0);
  const std::lock_guard lock(mutex_);
  if (p->handle != 0) {
    w.put<uint8_t>(1);
    return w.put(p->handle);
  }
  p->handle = made_by_plugin | next_++;
  p->received = 1;
  tensors_[p->handle] = p;
  w.put<uint8_t>(2);
  w.put(p->handle);
  w.put(p->type);
  w.list(p->dims.data(), p->dims.size());
  w.put(p->bytes);
  w.raw(p->data, p->bytes);
}

TensorProxy* Proxies::receive_tensor(Reader& r) {
  if (!r.flag()) return nullptr;
  const auto handle = r.get<uint64_t>();
  const auto type = r.get<mo_type>();
  uint64_t rank = 0;
  const auto* dims = r.list<int64_t>(rank);
  const auto bytes = r.get<uint64_t>();
  const char* data = r.flag() ? r.raw(bytes) : nullptr;
  const std::lock_guard lock(mutex_);
  TensorProxy*& p = tensors_[handle];
  if (p == nullptr) {
    p = new TensorProxy;
    p->handle = handle;
    p->type = type;
    p->dims.assign(dims, dims + rank);
    p->bytes = bytes;
    if (data != nullptr) p->inline_data.assign(data, bytes);
    p->has_data = data != nullptr || bytes == 0;
    p->data = data == nullptr ? nullptr : p->inline_data.data();
  } else {
    ++p->references;
  }
  ++p->received;
  return p;
}

FileProxy* Proxies::receive_file(Reader& r) {
  if (!r.flag()) return nullptr;
  const auto handle = r.get<uint64_t>();
  const auto bytes = r.get<uint64_t>();
  const std::lock_guard lock(mutex_);
  FileProxy*& p = files_[handle];
  if (p == nullptr) {
    p = new FileProxy;
    p->handle = handle;
    p->bytes = bytes;
    p->has_data = bytes == 0;
  } else {
    ++p->references;
  }
  ++p->received;
  return p;
}

TensorProxy* Proxies::adopt(core::TensorRef local) {
  auto* p = new TensorProxy;
  p->type = static_cast<mo_type>(local->type);
  p->dims = local->dims;
  p->bytes = local->bytes;
  p->data = local->data();
  p->has_data = true;
  p->local = std::move(local);
  return p;
}

void Proxies::retain(Proxy& p) {
  const std::lock_guard lock(mutex_);
  ++p.references;
}

bool Proxies::unused(Proxy& p) {
  if (--p.references != 0) return false;
  if (p.handle != 0) released_.emplace_back(p.handle, p.received);
  return true;
}

void Proxies::release(TensorProxy* p) {
  {
    const std::lock_guard lock(mutex_);
    if (!unused(*p)) return;
    tensors_.erase(p->handle);
  }
  delete p;  // may call the plugin, which lent the bytes
}

void Proxies::release(FileProxy* p) {
  {
    const std::lock_guard lock(mutex_);
    if (!unused(*p)) return;
    files_.erase(p->handle);
  }
  delete p;
}

void Proxies::put_released(Writer& w) {
  const std::lock_guard lock(mutex_);
  w.list(released_.data(), released_.size());
  released_.clear();
}

}  // namespace mo::app::isolate
