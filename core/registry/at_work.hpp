// Whose callback runs while no call says so: release, unload, shutdown. A crash report can only reach what
// lies at a fixed place.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <string_view>

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

// Files of plugins that are not built in and run in this process, as they were named. What is destroyed after
// main() says nothing of whose it is.
struct ForeignLibraries {
  static constexpr size_t most = 32;
  std::array<std::array<char, 512>, most> paths{};
  std::atomic<size_t> count{0};
};
inline ForeignLibraries foreign_libraries;

inline void note_foreign(std::string_view path) {
  ForeignLibraries& all = foreign_libraries;
  const size_t n = all.count.load();
  if (n == ForeignLibraries::most) return;
  auto& place = all.paths[n];
  place.fill('\0');
  std::copy_n(path.begin(), std::min(path.size(), place.size() - 1), place.begin());
  all.count.store(n + 1);
}

}  // namespace mo::core
