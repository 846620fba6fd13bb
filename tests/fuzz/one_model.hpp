// What the fuzzers of models share: a session, and what may come out of a hostile model. Those of loaders
// stop when the graph is there; with MO_FUZZ_CONVERSION the same inputs go through the whole conversion.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "apps/frontends/choose_frontend.hpp"
#include "apps/plugin_search/load_plugins.hpp"
#include "built.hpp"
#include "core/convert/convert.hpp"
#include "core/host/host_tables.hpp"
#include "temporary_folder.hpp"

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

// Registering plugins takes as long as hundreds of inputs: a session serves many models before it is thrown
// away with what it has kept of them. A loader needs the plugin that reads its files, and no other: what is
// not opened is not looked through for coverage after each input either.
inline core::Session& fuzz_session(const char* plugin = nullptr) {
  static std::unique_ptr<core::Session> session;
  static size_t served = 0;
  if (session == nullptr || ++served % (1 << 12) == 0) {
    session = std::make_unique<core::Session>(core::host_table());
    app::LoadRequest plugins;
    plugins.built_in = plugin == nullptr ? plugin_folder : builtin(plugin);
    app::load_plugins(*session, plugins);
  }
  return *session;
}

// A folder for models of several files; in memory, where that is possible.
inline std::unique_ptr<TemporaryFolder>& kept_fuzz_folder() {
  static std::unique_ptr<TemporaryFolder> folder;
  return folder;
}
inline const std::filesystem::path& fuzz_folder() {
  auto& folder = kept_fuzz_folder();
  const char* memory = "/dev/shm";
  if (folder == nullptr)
    folder = access(memory, W_OK) == 0 ? std::make_unique<TemporaryFolder>(memory)
                                       : std::make_unique<TemporaryFolder>();
  return folder->path();
}

// The model's own fault, or that of a file that an option names (`also`), or none; everything else is a bug of ours.
template <class Take>
void take_or_refuse(core::Session& session, const std::string& path, const char* framework, core::Exit also,
                    Take take) {
  core::ConvertOptions options;
  options.frontend = app::choose_frontend;
  options.input_model = path;
  options.framework = framework;
  options.emit.model_name = "model";
  try {
    take(session, options);
  } catch (const core::Failure& f) {
    if (f.exit() != core::Exit::model && f.exit() != also) {
      std::fprintf(stderr, "%s\n", f.render().c_str());
      std::abort();
    }
  }
  session.close_model();
  session.loose_graphs().clear();
  session.declined.clear();
  // The system remembers each name that was not found in a folder as long as the folder is there; with
  // hundreds of thousands of them a model takes twice as long.
  static size_t taken = 0;
  if (++taken % (1 << 12) == 0) kept_fuzz_folder().reset();
}

// The whole conversion.
inline void convert_or_refuse(const std::string& path, const char* framework,
                              core::Exit also = core::Exit::model) {
  take_or_refuse(fuzz_session(), path, framework, also,
                 [](core::Session& session, const core::ConvertOptions& options) {
                   core::ConvertResult result;
                   (void)core::prepare_model(session, options, result);
                 });
}
inline void convert_or_refuse(const uint8_t* data, size_t size, const char* framework) {
  const MemoryFile file(data, size);
  convert_or_refuse(file.path(), framework);
}

// Of the front-end in the plugin of this name.
class Reader {
 public:
  Reader(const char* framework, const char* plugin, core::Exit also = core::Exit::model)
      : framework_(framework), plugin_(plugin), also_(also) {}
#ifdef MO_FUZZ_CONVERSION
  core::Session& session() const { return fuzz_session(); }
  void read(const std::string& path) const { convert_or_refuse(path, framework_, also_); }
#else
  core::Session& session() const { return fuzz_session(plugin_); }
  void read(const std::string& path) const {
    take_or_refuse(session(), path, framework_, also_,
                   [](core::Session& session, const core::ConvertOptions& options) {
                     (void)core::load_model(session, options);
                   });
  }
#endif
  void read(const uint8_t* data, size_t size) const {
    const MemoryFile file(data, size);
    read(file.path());
  }

 private:
  const char* framework_;
  [[maybe_unused]] const char* plugin_;  // whole conversions need all of them
  core::Exit also_;
};

// A new file: the old one may still be mapped.
inline void write_file(const std::filesystem::path& path, std::string_view bytes) {
  constexpr int how = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
  unlink(path.c_str());
  int fd = open(path.c_str(), how, 0600);
  if (fd < 0 && errno == ENOENT) {
    std::filesystem::create_directories(path.parent_path());
    fd = open(path.c_str(), how, 0600);
  }
  if (fd < 0 || write(fd, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) std::abort();
  close(fd);
}

}  // namespace mo::test
