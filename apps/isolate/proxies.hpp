// Tensors and files as the process of an isolated plugin has them: numbers of the host's, with bytes that
// come when they are looked at.
#pragma once

#include "apps/isolate/channel.hpp"
#include "apps/isolate/wire.hpp"
#include "core/graph/tensor.hpp"

#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace mo::app::isolate {

// Bytes in memory of this process: a message, or a part of a file.
class Mapping {
 public:
  Mapping() = default;
  Mapping(const core::Descriptor& file, uint64_t offset, uint64_t bytes);
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  Mapping(Mapping&& o) noexcept { *this = std::move(o); }
  Mapping& operator=(Mapping&& o) noexcept;
  ~Mapping();
  const void* data() const { return data_; }

 private:
  void* start_ = nullptr;
  size_t length_ = 0;
  const void* data_ = nullptr;
};

struct Proxy {
  int references = 1;
  uint64_t handle = 0;    // 0: the host does not know it yet
  uint64_t received = 0;  // how often the host has sent the handle
  uint64_t bytes = 0;
  const void* data = nullptr;
  bool has_data = false;
  std::string inline_data;
  Mapping mapping;
};
struct TensorProxy : Proxy {
  mo_type type = 0;
  std::vector<int64_t> dims;
  core::TensorRef local;  // made here
};
struct FileProxy : Proxy {};

inline TensorProxy* proxy_of(const mo_tensor* t) {
  return reinterpret_cast<TensorProxy*>(const_cast<mo_tensor*>(t));
}
inline FileProxy* proxy_of(const mo_file* f) { return reinterpret_cast<FileProxy*>(const_cast<mo_file*>(f)); }

// All of them. [any thread]
class Proxies {
 public:
  void put_tensor(Writer&, mo_tensor*);
  TensorProxy* receive_tensor(Reader&);  // one reference is the caller's
  FileProxy* receive_file(Reader&);
  TensorProxy* adopt(core::TensorRef local);
  void retain(Proxy&);
  void release(TensorProxy*);
  void release(FileProxy*);
  // Handles that nobody here holds any more, and how often each was received.
  void put_released(Writer&);

 private:
  bool unused(Proxy&);
  std::mutex mutex_;
  std::unordered_map<uint64_t, TensorProxy*> tensors_;
  std::unordered_map<uint64_t, FileProxy*> files_;
  std::vector<std::pair<uint64_t, uint64_t>> released_;
  uint64_t next_ = 1;
};

// Handles of tensors that were made by the plugin.
inline constexpr uint64_t made_by_plugin = uint64_t{1} << 63;

}  // namespace mo::app::isolate
