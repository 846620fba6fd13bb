// Loading plugins of the zoo, and asking what came of it.
#pragma once

#include "apps/isolate/careful_loading.hpp"
#include "built.hpp"
#include "core/host/host_tables.hpp"
#include "core/support/failure.hpp"

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace mo::core {

// What loading this path by name ends with; nothing when it loads.
inline std::optional<Failure> failure_of(Session& session, const std::string& path) {
  try {
    app::CarefulRequest request;
    request.named = {path};
    request.allow_writable_folders = true;
    (void)load_carefully(session, request);
    return std::nullopt;
  } catch (const Failure& f) {
    return f;
  }
}

inline void load_zoo(Session& session, const std::string& stem) {
  if (const auto f = failure_of(session, test::zoo(stem))) throw *f;
}

// Removed when it goes out of scope. Only the user may write to it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // Folders above are made when they are missing.
  std::filesystem::path add_zoo(const std::string& stem, const std::string& relative) const;
  std::filesystem::path add_text(const std::string& text, const std::string& relative) const;

 private:
  std::filesystem::path path_;
};

}  // namespace mo::core
