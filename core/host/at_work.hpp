// Whose callback runs while no call says so: release, unload, shutdown. A crash report can only reach what
// lies at a fixed place.
#pragma once

#include <atomic>

namespace mo::core {

struct Plugin;

struct AtWork {
  std::atomic<const Plugin*> plugin{nullptr};
  std::atomic<const char*> callback{nullptr};
};
inline AtWork at_work;

// For as long as it lives.
class Working {
 public:
  Working(const Plugin* plugin, const char* callback) {
    at_work.callback.store(callback, std::memory_order_relaxed);
    at_work.plugin.store(plugin, std::memory_order_relaxed);
  }
  ~Working() { at_work.plugin.store(nullptr, std::memory_order_relaxed); }
  Working(const Working&) = delete;
  Working& operator=(const Working&) = delete;
};

}  // namespace mo::core
