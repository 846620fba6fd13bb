// What the fuzzers of models share: a session, and what may come out of a hostile model.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "apps/plugin_search/load_plugins.hpp"
#include "built.hpp"
#include "core/convert/convert.hpp"
#include "core/host/host_tables.hpp"

namespace mo::test {

// A file in memory with a name that can be opened.
class MemoryFile {
 public:
  MemoryFile(const uint8_t* data, size_t size) : fd_(memfd_create("model.onnx", MFD_CLOEXEC)) {
    for (size_t done = 0; fd_ >= 0 && done < size;) {
      const ssize_t n = write(fd_, data + done, size - done);
      if (n <= 0) std::abort();
      done += static_cast<size_t>(n);
    }
  }
  ~MemoryFile() { close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

// Registering all plugins takes as long as hundreds of inputs: a session serves many models before it is
// thrown away with what it has kept of them.
inline core::Session& fuzz_session() {
  static std::unique_ptr<core::Session> session;
  static size_t served = 0;
  if (session == nullptr || ++served % (1 << 14) == 0) {
    session = std::make_unique<core::Session>(core::host_table());
    core::LoadRequest plugins;
    plugins.built_in = plugin_folder;
    core::load_plugins(*session, plugins);
  }
  return *session;
}

// The model's own fault, or none; everything else is a bug of ours.
inline void prepare_or_refuse(const std::string& path, core::Stage stage, const char* framework) {
  core::Session& session = fuzz_session();
  core::ConvertOptions options;
  options.input_model = path;
  options.framework = framework;
  options.emit.model_name = "model";
  options.stop_after = stage;
  core::ConvertResult result;
  try {
    (void)core::prepare_model(session, options, result);
  } catch (const core::Failure& f) {
    if (f.exit() != core::Exit::model) {
      std::fprintf(stderr, "%s\n", f.render().c_str());
      std::abort();
    }
  }
  session.close_model();
  session.loose_graphs().clear();
  session.declined.clear();
}

inline void prepare_or_refuse(const uint8_t* data, size_t size, core::Stage stage,
                              const char* framework = "onnx") {
  const MemoryFile file(data, size);
  prepare_or_refuse(file.path(), stage, framework);
}

// A folder for models of several files, kept until the end.
inline const std::filesystem::path& fuzz_folder() {
  static const std::filesystem::path folder = [] {
    std::string name = (std::filesystem::temp_directory_path() / "mo-fuzz-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    return std::filesystem::path(name);
  }();
  return folder;
}
// A new file: the old one may still be mapped.
inline void write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::filesystem::remove(path);
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace mo::test
