// Loading plugins of the zoo, and asking what came of it.
#pragma once

#include "apps/isolate/careful_loading.hpp"
#include "built.hpp"
#include "core/host/host_tables.hpp"
#include "core/support/failure.hpp"
#include "temporary_folder.hpp"

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

// A folder for plugins: only the user may write to it.
class ZooFolder : public test::TemporaryFolder {
 public:
  std::filesystem::path add_zoo(const std::string& stem, const std::string& relative) const {
    const std::filesystem::path to = path() / relative;
    std::filesystem::create_directories(to.parent_path());
    std::filesystem::copy_file(test::zoo(stem), to);
    return to;
  }
  std::filesystem::path add_text(const std::string& text, const std::string& relative) const {
    return write(relative, text);
  }
};

}  // namespace mo::core
